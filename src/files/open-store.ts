import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStore } from './disk.ts'
import { createS3Store } from './s3.ts'
import type { FileStore } from './store.ts'

/** The store of uploads and of copies of remote files: a bucket or a folder of the data directory. */
export function openFileStore({ s3, dataDir, filesUrl }: Config): FileStore {
  return s3 ? createS3Store(s3, filesUrl) : createDiskStore({ root: join(dataDir, 'files'), baseUrl: filesUrl })
}
