import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { domainPolicy } from '../peers/domain-policy.ts'

/** Whether files of a server, or at an address, may be kept here. */
export async function keepsMediaOf(ctx: Context, ...hostsAndUrls: readonly (string | null)[]): Promise<boolean> {
  for (const given of hostsAndUrls) {
    if (given === null) continue
    const host = URL.parse(given)?.host || given
    const { allowed, rejectMedia } = await domainPolicy(ctx, host)
    if (rejectMedia || !allowed) return false
  }
  return true
}

/** Downloads a remote file, of `maxBytes` at most, for as long as `work` takes with it. Throws FetchError. */
export async function withDownload<T>(
  ctx: Context,
  url: string,
  maxBytes: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = join(ctx.config.dataDir, 'tmp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Named as uploads are: what a killed process leaves behind is swept with them.
  const path = join(folder, `upload-${randomUUID()}`)
  try {
    await ctx.fetch.download(url, { maxBytes, toFile: path, timeoutMs: 30_000 })
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Whether another try later may go better: the other side is busy or unreachable, or something of ours is. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof FetchError) {
    if (error.reason === 'status') return error.status === 429 || (error.status ?? 0) >= 500
    return (
      error.reason === 'network' ||
      error.reason === 'host-budget' ||
      error.reason === 'timeout' ||
      error.reason === 'file'
    )
  }
  return !(error instanceof AppError && error.status < 500)
}
