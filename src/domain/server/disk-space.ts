import { statfs } from 'node:fs/promises'
import type { Context } from '../../context.ts'

/** In bytes. `free`: what this process may still use. */
type DiskSpace = { size: number; free: number }

/** Space on the disk of DATA_DIR. */
export async function readDiskSpace({ config }: Context): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(config.dataDir)
  return { size: bsize * blocks, free: bsize * bavail }
}
