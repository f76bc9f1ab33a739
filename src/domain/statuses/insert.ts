import type { Context } from '../../context.ts'
import { count, nothing, sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import { pastDate } from '../../lib/dates.ts'
import { compareIds, newId, timeOfId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { parseConversationUri } from '../server/addresses.ts'
import { getOrCreateTags, spellingsOf, touchTags } from '../tags/tags.ts'
import type { StatusDraft } from './draft.ts'
import { isIdTaken, withFreeId } from './free-id.ts'
import { type InsertedRow, type PreparedRows, insertRows } from './insert-rows.ts'
import { insertPoll, type PollEnd } from './polls/polls.ts'
import { insertQuote } from './quotes/quotes.ts'
import { isPublicOrUnlisted, isPublicOrUnlistedSql } from './visibility.ts'

export type InsertedStatus = {
  id: string
  /** False when a status with this ActivityPub id is stored already. */
  created: boolean
  /** The time at which the job `polls.close` must run. */
  pollEnd: PollEnd | null
  /** Replies that arrived before the status. */
  replies: LinkedReplies
  /** Statuses with quotes of the status that arrived before it: the job `federation.quote` checks them. */
  quotes: string[]
}

/**
 * `pending`: they need the approval of the parent's author, and the job `federation.approval` checks them. `moved`: direct
 * statuses, among them later replies, whose conversation is that of the parent now.
 */
export type LinkedReplies = { approved: string[]; pending: string[]; moved: string[] }

const NO_REPLIES: LinkedReplies = { approved: [], pending: [], moved: [] }

/**
 * Stores a status with its mentions, tags, media, poll, quote, conversation and counters. Throws NotFound when its author or
 * parent is gone, Invalid when an attachment is not the author's own or belongs to another status.
 */
export const insertStatus = (tx: Context, draft: StatusDraft): Promise<InsertedStatus> =>
  withFreeId(() => tryInsertStatus(tx, draft))

/** Null when the id is taken. */
async function tryInsertStatus(tx: Context, draft: StatusDraft): Promise<InsertedStatus | null> {
  const earlier = draft.uri ? await findEarlier(tx, draft.uri) : null
  if (earlier?.id) return storedBefore(earlier.id)
  const conversationId = draft.conversationUri ? await getConversation(tx, draft.conversationUri) : newId()
  const { id, past } = placeInThread(
    pastDate(draft.createdAt),
    draft.inReplyToId ?? null,
    earlier?.first_reply_id ?? null,
  )
  const media = (draft.remoteMedia ?? []).map((attachment) => ({ id: newId(), ...attachment }))
  const mediaIds = [...(draft.mediaIds ?? []), ...media.map((attachment) => attachment.id)]
  const [pollId, quoteId] = [draft.poll ? newId() : null, draft.quote ? newId() : null]
  const row = await insertWithTags(tx, draft, {
    id,
    conversationId,
    createdAt: past ?? timeOfId(id),
    mediaIds,
    media,
    tagNames: [...spellingsOf(draft.tags ?? []).keys()],
    pollId,
    quoteId,
  })
  if (row === 'taken') return null
  if (!row) {
    const existing = draft.uri ? await findByUri(tx, draft.uri) : null
    if (existing) return storedBefore(existing)
    if (await isIdTaken(tx, id)) return null
    throw new NotFound()
  }
  if (draft.inReplyToId && !row.parent_id) throw new NotFound()
  if ((row.attached ?? 0) < (draft.mediaIds?.length ?? 0)) throw new Invalid(message('media_missing'))
  const isOpen = isPublicOrUnlisted(draft.visibility) && !draft.approval
  if (isOpen && row.stale_tags && row.stale_tags.length > 0) await touchTags(tx, row.stale_tags, draft.tags ?? [])
  const pollEnd = draft.poll && pollId ? await insertPoll(tx, pollId, id, draft.poll) : null
  if (draft.quote && quoteId) await insertQuote(tx, quoteId, { id, accountId: draft.accountId }, draft.quote)
  const waiting = draft.uri ? await linkWaiting(tx, id, draft.uri) : { replies: NO_REPLIES, quotes: [] }
  return { id, created: true, pollEnd, ...waiting }
}

const storedBefore = (id: string): InsertedStatus => ({
  id,
  created: false,
  pollEnd: null,
  replies: NO_REPLIES,
  quotes: [],
})

/** Links replies and quotes that arrived before the status. */
async function linkWaiting(tx: Context, id: string, uri: string): Promise<Pick<InsertedStatus, 'replies' | 'quotes'>> {
  const waiting = await findWaiting(tx, uri)
  const [replies, quotes] = await Promise.all([
    waiting.replies ? linkReplies(tx, { id, uri }) : NO_REPLIES,
    waiting.quotes ? linkQuotes(tx, id, uri) : [],
  ])
  return { replies, quotes }
}

/** Milliseconds that a status may move before its first reply: servers send whole seconds, and their clocks differ. */
const MAX_SKEW = 60_000

/**
 * The id of a new status, and its time when that is not now: the claimed time, but after its parent, and before a first reply
 * that arrived earlier. Ignores a reply that claims to be much older: its time may be made up.
 */
function placeInThread(
  claimed: Date | undefined,
  parentId: string | null,
  firstReplyId: string | null,
): { id: string; past: Date | undefined } {
  let past = claimed
  let id = newId(past)
  const moveTo = (ms: number): void => {
    past = new Date(ms)
    id = newId(past)
  }
  if (firstReplyId !== null && compareIds(id, firstReplyId) >= 0) {
    const replyTime = timeOfId(firstReplyId).getTime()
    if (timeOfId(id).getTime() - replyTime <= MAX_SKEW) moveTo(replyTime - 1)
  }
  if (parentId !== null && compareIds(id, parentId) <= 0) moveTo(timeOfId(parentId).getTime() + 1)
  return { id, past }
}

/** The statement inserts nothing while a tag is missing, which is rare: most tags were used before. */
async function insertWithTags(
  tx: Context,
  draft: StatusDraft,
  rows: PreparedRows,
): Promise<InsertedRow | 'taken' | null> {
  const row = await insertRows(tx, { draft, rows })
  if (row || rows.tagNames.length === 0) return row
  await getOrCreateTags(tx, draft.tags ?? [], 'folded')
  return insertRows(tx, { draft, rows })
}

const findEarlier = batchedFor((tx: Context, uris: string[]) =>
  tx.db.many<{ id: string | null; first_reply_id: string | null }>(sql`
    select (select id from statuses where uri = wanted.uri) as id,
      (select min(id) from statuses where in_reply_to_uri = wanted.uri and reblog_of_id is null) as first_reply_id
    from unnest(${uris}::text[]) with ordinality wanted (uri, place) order by place`),
)

/** Whether replies and quotes arrived before the status. */
const findWaiting = batchedFor((tx: Context, uris: string[]) =>
  tx.db.many<{ replies: boolean; quotes: boolean }>(sql`
    select exists (select from statuses where in_reply_to_uri = wanted.uri) as replies,
      exists (select from quotes where quoted_uri = wanted.uri and quoted_status_id is null) as quotes
    from unnest(${uris}::text[]) with ordinality wanted (uri, place) order by place`),
)

async function findByUri(tx: Context, uri: string): Promise<string | null> {
  return (await tx.db.maybe<{ id: string }>(sql`select id from statuses where uri = ${uri}`))?.id ?? null
}

async function getConversation(tx: Context, uri: string): Promise<string> {
  const localId = parseConversationUri(tx, uri)
  // The URI of a private conversation can be guessed: only a reply joins it.
  const known =
    localId &&
    (await tx.db.maybe(sql`
      select from conversations c where id = ${localId} and uri is null
        and exists (select from statuses s where s.conversation_id = c.id and ${isPublicOrUnlistedSql(sql`s.visibility`)})`))
  if (known) return localId
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into conversations (id, uri) values (${newId()}, ${uri}) on conflict (uri) do update set uri = excluded.uri returning id`)
  return id
}

/** Returns the statuses whose quotes may be accepted now: by the quoted author, or with an authorization. */
async function linkQuotes(tx: Context, id: string, uri: string): Promise<string[]> {
  const linked = await tx.db.many<{ status_id: string; acceptable: boolean }>(sql`
    update quotes q set quoted_status_id = p.id, quoted_account_id = p.account_id
    from statuses p where p.id = ${id} and q.quoted_uri = ${uri} and q.quoted_status_id is null
    returning q.status_id, q.state = 'pending' and (q.account_id = p.account_id or q.approval_uri is not null) as acceptable`)
  return linked.flatMap(({ status_id: statusId, acceptable }) => (acceptable ? [statusId] : []))
}

/**
 * Links replies that arrived before their parent: all, or only one. When the parent restricts replies, those by other accounts
 * become pending.
 */
export async function linkReplies(
  tx: Context,
  parent: { id: string; uri: string },
  onlyId: string | null = null,
): Promise<LinkedReplies> {
  const linked = await tx.db.many<{ id: string; pending: boolean }>(sql`
    with linked as (
      update statuses c set in_reply_to_id = p.id, in_reply_to_account_id = p.account_id, in_reply_to_uri = null,
        approval = case when p.approval is not null or (p.interaction_policy ? 'reply' and c.account_id <> p.account_id) then 'pending' end
      from statuses p where p.id = ${parent.id} and c.in_reply_to_uri = ${parent.uri} and p.id <> c.id
        ${onlyId === null ? nothing : sql`and c.id = ${onlyId}`}
      returning c.id, c.visibility, c.approval
    ), counted as (
      insert into status_stats (status_id, replies_count)
      select ${parent.id}::bigint, count(*)::int from linked where ${isPublicOrUnlistedSql(sql`visibility`)} and approval is null having count(*) > 0
      on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count
    )
    select id, approval is not null as pending from linked`)
  if (linked.length === 0) return NO_REPLIES
  return {
    approved: linked.flatMap(({ id, pending }) => (pending ? [] : [id])),
    pending: linked.flatMap(({ id, pending }) => (pending ? [id] : [])),
    moved: await joinConversation(
      tx,
      parent.id,
      linked.map(({ id }) => id),
    ),
  }
}

/** A server may send a long thread in reverse, and each status would move all that follow it. */
const MAX_MOVED = 200

/**
 * Moves replies, with what follows them, into the conversation of their parent, as if they had arrived after it. Accounts that
 * muted the former conversation mute that one, too. Returns the direct ones.
 */
async function joinConversation(tx: Context, parentId: string, replyIds: readonly string[]): Promise<string[]> {
  const moved = await tx.db.many<{ id: string; direct: boolean }>(sql`
    with recursive thread (id) as (
      select unnest(${replyIds}::bigint[]) union select s.id from thread join statuses s on s.in_reply_to_id = thread.id
    ), moved as (
      update statuses s set conversation_id = p.conversation_id
      from (select id from thread limit ${count(MAX_MOVED)}) t join statuses before on before.id = t.id join statuses p on p.id = ${parentId}
      where s.id = t.id and s.conversation_id <> p.conversation_id
      returning s.id, s.visibility, s.conversation_id, before.conversation_id as former_id
    ), muted as (
      insert into conversation_mutes (account_id, conversation_id)
      select m.account_id, moved.conversation_id from moved join conversation_mutes m on m.conversation_id = moved.former_id
      on conflict do nothing
    )
    select id, visibility = 'direct' as direct from moved`)
  return moved.flatMap(({ id, direct }) => (direct ? [id] : []))
}
