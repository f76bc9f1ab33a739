import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { refreshIdFor, type AsyncRefresh } from '../domain/server/async-refreshes.ts'

/** Seconds after which clients ask how it stands. */
const RETRY = 2

/** Tells the caller that more is being worked on, and under which name to ask after it. */
export async function announceRefresh(
  { ctx, viewer, reply }: { ctx: Context; viewer: { accountId: string }; reply: FastifyReply },
  { key, result_count }: Pick<AsyncRefresh, 'key' | 'result_count'>,
): Promise<void> {
  const id = await refreshIdFor(ctx, viewer.accountId, key)
  const count = result_count === null ? '' : `, result_count=${result_count}`
  void reply.header('mastodon-async-refresh', `id="${id}", retry=${RETRY}${count}`)
}
