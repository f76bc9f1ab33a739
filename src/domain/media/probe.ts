import { open, type FileHandle } from 'node:fs/promises'
import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { formatOf } from './types.ts'
import { convertsMedia, LibraryMissing, measureMedia } from './av/run.ts'
import { sniff } from './decode.ts'
import { isTemporary, keepsMediaOf } from './download.ts'
import { describeMeasures } from './film-meta.ts'
import { PASSED_ON_LIMIT } from './limits.ts'
import { findRemoteMedium, type RemoteMedium } from './remote.ts'
import { withTemporary } from './temporary.ts'

/** Bytes that are fetched of the beginning and of the end of a file: indexes are in either. */
const PART = 1024 * 1024
const TIMEOUT_MS = 30_000

/** Queues the measuring of remote media that was not measured yet. Called when a reader first requests it. */
export async function requestProbe(ctx: Context, { id, type, probed_at: probedAt }: RemoteMedium): Promise<void> {
  if (probedAt !== null || (type !== 'video' && type !== 'audio' && type !== 'gifv') || !convertsMedia(ctx)) return
  await ctx.enqueue('media.probe', { mediaId: id }, { key: id })
}

/** The job `media.probe`: measures remote video or audio for its `meta`. Throws when another try later may succeed. */
export async function probeMedium(ctx: Context, { mediaId }: JobData['media.probe']): Promise<void> {
  const media = await findRemoteMedium(ctx, mediaId)
  if (!media?.remote_url || media.probed_at !== null) return
  if (!(await keepsMediaOf(ctx, media.domain, media.remote_url))) return
  const meta = await withTemporary(ctx, (path) => metaOf(ctx, media.remote_url ?? '', path)).catch((error: unknown) => {
    if (isTemporary(error) && !(error instanceof LibraryMissing)) throw error
    ctx.log.debug({ err: error, mediaId }, 'media.probe.failed')
    return {}
  })
  await ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<{ status_id: string | null }>(sql`
      update media_attachments set probed_at = now(), meta = coalesce(meta, '{}') || ${JSON.stringify(meta)}::jsonb
      where id = ${mediaId} and remote_url = ${media.remote_url} returning status_id`)
    // A new version of the row makes readers present it anew.
    if (row) await tx.db.run(sql`update statuses set fetched_at = now() where id = ${row.status_id}`)
  })
}

async function metaOf(ctx: Context, url: string, path: string): Promise<object> {
  const file = await open(path, 'wx', 0o600)
  try {
    const size = await fetchPart(ctx, url, file, 0)
    if (size !== null && size > PART) {
      // What lies between reads as zeros and takes no place on the disk.
      await file.truncate(size)
      await fetchPart(ctx, url, file, Math.max(PART, size - PART)).catch((error: unknown) => {
        if (!(error instanceof AppError || error instanceof FetchError)) throw error
      })
    }
  } finally {
    await file.close()
  }
  const format = formatOf(await sniff(path))
  if (!format || format.isAnimation) return {}
  return describeMeasures(await measureMedia(ctx, { path, demuxer: format.demuxer, isAnimation: false }))
}

/** Writes up to `PART` bytes from `start` of a remote file to the same place in `file`; gives the size of all of it, null if unknown. */
async function fetchPart(ctx: Context, url: string, file: FileHandle, start: number): Promise<number | null> {
  const call = {
    method: 'GET' as const,
    headers: { 'accept-encoding': 'identity', range: `bytes=${start}-${start + PART - 1}` },
    accept: 'video/*, audio/*, */*;q=0.1',
    maxBytes: PASSED_ON_LIMIT,
    timeoutMs: TIMEOUT_MS,
  }
  return ctx.fetch.pass(url, call, async ({ status, headers }, chunks) => {
    if (status !== 206 && status !== 200) throw new FetchError('status', `answered ${status}`, { status })
    // A server without ranges begins at the beginning again.
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
    return size > 0 && size <= PASSED_ON_LIMIT ? size : null
  })
}
