// Files of media: in the file store, and temporary ones on disk.
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { newFileKey } from '../../files/store.ts'
import { OutcomeUnknown } from '../../lib/errors.ts'
import { domainPolicy } from '../peers/domain-policy.ts'

export type ReceivedFile = { path: string; size: number }

export type EncodedFile = { data: Buffer; contentType: string; extension: string }

export const mediaKey = (id: string, variant: string, { extension }: EncodedFile): string =>
  newFileKey('media', id, variant, extension)

/**
 * Deletes the files of a write that failed with `error`. They stay if it may have been carried out, as a row may name them then;
 * `rookery media remove-orphans` deletes those that no row names.
 */
export async function discardFiles(ctx: Context, keys: readonly string[], error: unknown): Promise<void> {
  if (!(error instanceof OutcomeUnknown)) return ctx.deleteFiles(keys)
  if (keys.length > 0) ctx.log.warn({ keys }, 'files.left')
}

/** Discards the files when storing them or `work` fails. */
export async function withStoredFiles<T>(
  ctx: Context,
  files: readonly (readonly [key: string, file: EncodedFile])[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    const puts = files.map(([key, { data, contentType }]) => ctx.files.put(key, data, contentType))
    // All have ended before a file is deleted: otherwise a slow one would be stored after that.
    await Promise.allSettled(puts)
    await Promise.all(puts)
    return await work()
  } catch (error) {
    await discardFiles(
      ctx,
      files.map(([key]) => key),
      error,
    )
    throw error
  }
}

/** Deletes the file after `work`. After a crash, the clean-up of uploads finds it by its name. */
export async function withTemporaryFile<T>(
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

/** Whether the domain policy allows caching media of these hosts, or of the hosts in these URLs. Skips null. */
export async function mayCacheMediaOf(ctx: Context, ...hostsAndUrls: readonly (string | null)[]): Promise<boolean> {
  for (const given of hostsAndUrls) {
    if (given === null) continue
    const host = URL.parse(given)?.host || given
    const { allowed, rejectMedia } = await domainPolicy(ctx, host)
    if (rejectMedia || !allowed) return false
  }
  return true
}

/** Deletes the file after `work`. Throws FetchError. */
export const withDownload = <T>(
  ctx: Context,
  url: string,
  maxBytes: number,
  work: (path: string) => Promise<T>,
): Promise<T> =>
  withTemporaryFile(ctx, async (path) => {
    await ctx.fetch.download(url, { maxBytes, toFile: path, timeoutMs: 30_000 })
    return work(path)
  })
