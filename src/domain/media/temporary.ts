import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'

/** A path for a file that is needed as long as `work` takes. Named as uploads are: what a killed process leaves is swept with them. */
export async function withTemporary<T>(
  ctx: Context,
  work: (path: string) => Promise<T>,
  extension = 'bin',
): Promise<T> {
  const folder = join(ctx.config.dataDir, 'tmp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `upload-${randomUUID()}.${extension}`)
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
