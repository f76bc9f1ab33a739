import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import { notify } from '../notifications/notify.ts'
import { fetchNote, reviseNote } from '../remote/receive-status.ts'
import { federate } from '../federate.ts'

/** So long what is known of a remote poll is good enough for whoever looks at it: milliseconds. */
const FRESH = 60_000

type Ended = { status_id: string; account_id: string; uri: string | null; local: boolean }

/**
 * Job `polls.close`: tells the author and everybody of this server who voted that a poll has ended, once, and shows its results.
 * A poll that was given more time meanwhile is left alone. A remote one is asked for its results first.
 */
export async function closePoll(ctx: Context, { pollId }: JobData['polls.close']): Promise<void> {
  const over = await ctx.db.maybe<Ended>(sql`
    select p.status_id, s.account_id, s.uri, s.local from polls p join statuses s on s.id = p.status_id
    where p.id = ${pollId} and p.closed_at is null and p.expires_at <= now()`)
  if (!over) return
  if (!over.local) await askAgain(ctx, over)
  await ctx.transaction(async (tx) => {
    const closed = await tx.db.run(
      sql`update polls set closed_at = now() where id = ${pollId} and closed_at is null and expires_at <= now()`,
    )
    if (closed === 0) return
    const about = { type: 'poll', fromAccountId: over.account_id, statusId: over.status_id } as const
    await notify(tx, { ...about, to: 'voters' })
    await notify(tx, { ...about, to: 'author' })
    tx.publish({ type: 'status.edited', id: over.status_id })
    if (over.local) await federate(tx, { activity: 'refresh', statusId: over.status_id })
  })
}

/** Job `polls.tell`: other servers learn how a poll of this one stands. Its end is told by itself. */
export async function tellPoll(ctx: Context, { pollId }: JobData['polls.tell']): Promise<void> {
  const open = await ctx.db.maybe<{ status_id: string }>(
    sql`select status_id from polls where id = ${pollId} and closed_at is null`,
  )
  if (open) await federate(ctx, { activity: 'refresh', statusId: open.status_id })
}

/** Job `polls.refresh`: a remote poll is asked how it stands, unless somebody was faster. */
export async function refreshPoll(ctx: Context, { pollId }: JobData['polls.refresh']): Promise<void> {
  const poll = await ctx.db.maybe<Ended>(sql`
    select p.status_id, s.account_id, s.uri, s.local from polls p join statuses s on s.id = p.status_id
    where p.id = ${pollId} and not s.local and (p.fetched_at is null or p.fetched_at < now() - make_interval(secs => ${FRESH / 1000}::int))`)
  if (poll) await askAgain(ctx, poll)
}

async function askAgain(ctx: Context, { status_id: statusId, account_id: authorId, uri }: Ended): Promise<void> {
  // However it goes, it is not asked again at once.
  await ctx.db.run(sql`update polls set fetched_at = now() where status_id = ${statusId}`)
  try {
    const [note, author] = await Promise.all([fetchNote(ctx, uri ?? ''), findAccount(ctx, authorId)])
    if (note && author && note.id === uri && note.attributedTo === author.uri)
      await reviseNote(ctx, statusId, note, author, note.updated ?? new Date())
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, uri }, 'a poll could not be asked for')
  }
}

/** Has a remote poll asked how it stands, in the background, unless that was done lately, or after its end. */
export async function refreshPollIfStale(
  ctx: Context,
  poll: { id: string; domain: string | null; expires_at: Date | null; fetched_at: Date | null },
): Promise<void> {
  const [asked, end] = [poll.fetched_at?.getTime() ?? 0, poll.expires_at?.getTime() ?? Infinity]
  if (poll.domain === null || asked > end || Date.now() - asked < FRESH) return
  await ctx.enqueue('polls.refresh', { pollId: poll.id }, { key: poll.id })
}
