import { open, type FileHandle } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { PROXIED_SIZE_LIMIT, formatOf } from '../../domain/media/types.ts'
import type { MeasuredMedia } from '../../domain/media/av/protocol.ts'
import { convertsMedia, LibraryMissing, measureMedia } from '../../domain/media/av/run.ts'
import { sniff } from '../../domain/media/decode.ts'
import { mayCacheMediaOf, withTemporaryFile } from '../../domain/media/files.ts'
import { describeMeasures } from '../../domain/media/conversion.ts'
import { findRemoteAttachment, type RemoteAttachment, storeMeasured } from '../../domain/media/remote.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

/** Bytes to fetch from the beginning and from the end of a file: the index is at either end. */
const PART = 1024 * 1024
const TIMEOUT_MS = 30_000

/** Enqueues the probe at the first request of a client. Does nothing when the media was measured before. */
export async function requestProbe(ctx: Context, { id, type, probed_at: probedAt }: RemoteAttachment): Promise<void> {
  if (probedAt !== null || (type !== 'video' && type !== 'audio' && type !== 'gifv') || !convertsMedia(ctx)) return
  await ctx.enqueue('media.probe', { mediaId: id }, { key: id })
}

/** Job `media.probe`. Throws when a retry may succeed. */
export async function probeMedia(ctx: Context, { mediaId }: JobData['media.probe']): Promise<void> {
  const media = await findRemoteAttachment(ctx, mediaId)
  if (!media?.remote_url || media.probed_at !== null) return
  const { remote_url: url, domain } = media
  if (!(await mayCacheMediaOf(ctx, domain, url))) return
  const measured = await withTemporaryFile(ctx, (path) => measureRemote(ctx, url, path)).catch((error: unknown) => {
    if (isTemporary(error) && !(error instanceof LibraryMissing)) throw error
    ctx.log.debug({ err: error, mediaId }, 'media.probe-failed')
    return null
  })
  const found = { isAnimation: measured?.type === 'gifv', meta: measured ? describeMeasures(measured.measures) : {} }
  await ctx.transaction((tx) => storeMeasured(tx, mediaId, url, found))
}

async function measureRemote(ctx: Context, url: string, path: string): Promise<MeasuredMedia | null> {
  const file = await open(path, 'wx', 0o600)
  try {
    const size = await fetchPart(ctx, url, file, 0)
    if (size !== null && size > PART) {
      // The gap between the parts reads as zeros and takes no space on the disk.
      await file.truncate(size)
      await fetchPart(ctx, url, file, Math.max(PART, size - PART)).catch((error: unknown) => {
        if (!(error instanceof AppError || error instanceof FetchError)) throw error
      })
    }
  } finally {
    await file.close()
  }
  const format = formatOf(await sniff(path))
  if (!format || format.isAnimation) return null
  return measureMedia(ctx, { path, demuxer: format.demuxer, isAnimation: false })
}

/** Copies up to `PART` bytes to the same offset of `file`. Returns the size of the remote file; null if unknown. */
async function fetchPart(ctx: Context, url: string, file: FileHandle, start: number): Promise<number | null> {
  const call = {
    method: 'GET' as const,
    headers: { 'accept-encoding': 'identity', range: `bytes=${start}-${start + PART - 1}` },
    accept: 'video/*, audio/*, */*;q=0.1',
    maxBytes: PROXIED_SIZE_LIMIT,
    timeoutMs: TIMEOUT_MS,
  }
  return ctx.fetch.pass(url, call, async ({ status, headers }, chunks) => {
    if (status !== 206 && status !== 200) throw new FetchError('status', `answered ${status}`, { status })
    // A server that ignores ranges sends the beginning again.
    if (status === 200 && start > 0) return null
    let at = start
    for await (const chunk of chunks) {
      const rest = chunk.subarray(0, start + PART - at)
      await file.write(rest, 0, rest.length, at)
      at += rest.length
      if (at >= start + PART) break
    }
    const size = Number(
      status === 206 ? /\/(\d{1,15})$/.exec(String(headers['content-range'] ?? ''))?.[1] : headers['content-length'],
    )
    return size > 0 && size <= PROXIED_SIZE_LIMIT ? size : null
  })
}
