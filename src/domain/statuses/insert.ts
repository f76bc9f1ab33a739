import type { Context } from '../../context.ts'
import { type Sql, commaList, nothing, sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'
import { compareIds, newId, timeOfId } from '../../lib/ids.ts'
import { parseConversationUri } from '../server/addresses.ts'
import { countedTagUses, getOrCreateTags, isStaleTag, spellingsOf, touchTags } from '../tags/tags.ts'
import type { RemoteMediaDraft, StatusDraft } from './draft.ts'
import { insertPoll, type PollEnd } from './polls/polls.ts'
import { insertQuote } from './quotes/quotes.ts'
import { isPublicOrUnlisted } from './visibility.ts'

export type InsertedStatus = {
  id: string
  /** False when a status with this ActivityPub id is stored already. */
  created: boolean
  /** The time at which the job `polls.close` must run. */
  pollEnd: PollEnd | null
  /** Replies that arrived before the status and need the approval of its author: the job `federation.approval` checks them. */
  pendingReplies: string[]
}

/**
 * Stores a status with its mentions, tags, media, poll, quote, conversation and counters. Throws NotFound when its author or
 * parent is gone, Invalid when an attachment is not the author's own or belongs to another status.
 */
export async function insertStatus(tx: Context, draft: StatusDraft): Promise<InsertedStatus> {
  const earlier = draft.uri ? await findEarlier(tx, draft.uri) : null
  if (earlier?.id) return { id: earlier.id, created: false, pollEnd: null, pendingReplies: [] }
  const conversationId = draft.conversationUri ? await getConversation(tx, draft.conversationUri) : newId()
  // A date in the future would keep a status on top of every timeline.
  const claimed = draft.createdAt && draft.createdAt.getTime() < Date.now() ? draft.createdAt : undefined
  const { id, past } = placeInThread(claimed, draft.inReplyToId ?? null, earlier?.first_reply_id ?? null)
  const media = (draft.remoteMedia ?? []).map((attachment) => ({ id: newId(past), ...attachment }))
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
  if (!row) {
    const existing = draft.uri ? await findByUri(tx, draft.uri) : null
    if (!existing) throw new NotFound()
    return { id: existing, created: false, pollEnd: null, pendingReplies: [] }
  }
  if (draft.inReplyToId && !row.parent_id) throw new NotFound()
  if ((row.attached ?? 0) < (draft.mediaIds?.length ?? 0)) throw invalidRequest('media_missing')
  if (row.stale_tags && row.stale_tags.length > 0) await touchTags(tx, row.stale_tags)
  const pollEnd = draft.poll && pollId ? await insertPoll(tx, pollId, id, draft.poll) : null
  if (draft.quote && quoteId) await insertQuote(tx, quoteId, { id, accountId: draft.accountId }, draft.quote)
  if (!draft.uri) return { id, created: true, pollEnd, pendingReplies: [] }
  const waiting = await findWaiting(tx, draft.uri)
  const [pendingReplies] = await Promise.all([
    waiting.replies ? linkReplies(tx, { id, uri: draft.uri }) : [],
    waiting.quotes && linkQuotes(tx, id, draft.uri),
  ])
  return { id, created: true, pollEnd, pendingReplies }
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

type PreparedRows = {
  id: string
  conversationId: string
  createdAt: Date
  mediaIds: string[]
  media: (RemoteMediaDraft & { id: string })[]
  tagNames: string[]
  pollId: string | null
  quoteId: string | null
}

/** `stale_tags` is missing without tags, `attached` without uploads, `parent_id` without a parent. */
type InsertedRow = { stale_tags?: string[]; attached?: number; parent_id?: string | null }

/** The statement inserts nothing while a tag is missing, which is rare: most tags were used before. */
async function insertWithTags(tx: Context, draft: StatusDraft, rows: PreparedRows): Promise<InsertedRow | null> {
  const statement = insertStatement(draft, rows)
  const row = await tx.db.maybe<InsertedRow>(statement)
  if (row || rows.tagNames.length === 0) return row
  await getOrCreateTags(tx, draft.tags ?? [])
  return tx.db.maybe<InsertedRow>(statement)
}

/**
 * One statement for all rows, made only of the parts that the status has: each relation that a statement names costs, used or
 * not. It locks author and parent against deletion. It counts no direct statuses, and only replies that everyone may see.
 */
function insertStatement(draft: StatusDraft, rows: PreparedRows): Sql {
  const { inReplyToId: parentId = null, mentionIds = [], mediaIds: uploads = [] } = draft
  const tagged = rows.tagNames.length > 0
  const parts = [
    tagged &&
      sql`tag as materialized (select id, usable, ${isStaleTag} as stale from tags where name = any(${rows.tagNames}::text[]))`,
    sql`writer as (
      select id, silenced_at from accounts where id = ${draft.accountId}::bigint and suspended_at is null
        ${tagged ? sql`and (select count(*) from tag) = ${rows.tagNames.length}::int` : nothing}
      for key share
    )`,
    parentId !== null &&
      sql`parent as (select id, account_id, conversation_id from statuses where id = ${parentId}::bigint for key share)`,
    sql`status as (${statusRow(draft, rows)})`,
    sql`conversation as (
      insert into conversations (id) select conversation_id from status where conversation_id = ${rows.conversationId}::bigint on conflict do nothing
    )`,
    mentionIds.length > 0 &&
      sql`mentioned as (
      insert into mentions (status_id, account_id) select status.id, mention from status, unnest(${mentionIds}::bigint[]) mention on conflict do nothing
    )`,
    tagged && sql`tagged as (insert into status_tags (status_id, tag_id) select status.id, tag.id from status, tag)`,
    tagged && countedTagUses,
    uploads.length > 0 &&
      sql`attached as (
      update media_attachments m set status_id = status.id from status
      where m.id = any(${uploads}::bigint[]) and m.account_id = status.account_id and m.status_id is null and m.scheduled_status_id is null returning m.id
    )`,
    rows.media.length > 0 &&
      sql`remote_media as (
      insert into media_attachments (id, account_id, status_id, type, content_type, remote_url, description, blurhash, meta)
      select m.id, status.account_id, status.id, m.type, m."contentType", m."remoteUrl", m.description, m.blurhash, coalesce(m.meta, '{}')
      from status, ${mediaRows(rows.media)}
    )`,
    draft.visibility !== 'direct' &&
      sql`author as (
      insert into account_stats (account_id, statuses_count, last_status_at)
      select account_id, 1, (created_at at time zone 'utc')::date from status
      on conflict (account_id) do update set statuses_count = account_stats.statuses_count + 1,
        last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)
    )`,
    parentId !== null &&
      sql`answered as (
      insert into status_stats (status_id, replies_count) select parent.id, 1 from parent, status where ${isPublicOrUnlisted(sql`status.visibility`)} and status.approval is null
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1
    )`,
  ]
  const results = [
    tagged && sql`array(select id from tag where stale)::text[] as stale_tags`,
    uploads.length > 0 && sql`(select count(*)::int from attached) as attached`,
    parentId !== null && sql`(select id from parent) as parent_id`,
  ]
  return sql`with ${commaList(parts)} select ${commaList(results)} from status`
}

function statusRow(draft: StatusDraft, rows: PreparedRows): Sql {
  const fromParent = (column: Sql, otherwise: Sql): Sql =>
    draft.inReplyToId ? sql`coalesce((select ${column} from parent), ${otherwise})` : otherwise
  return sql`
      insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language, local, reply,
        in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, app_id, media_ids, emojis, created_at, fetched_at,
        poll_id, quote_id, quote_policy, interaction_policy, approval, approval_uri)
      select ${rows.id}::bigint, writer.id, ${draft.uri ?? null}, ${draft.url ?? null}, ${draft.text ?? ''}, ${draft.content},
        ${draft.spoilerText ?? ''}, ${draft.visibility}::visibility, ${draft.sensitive ?? false}::boolean, ${draft.language ?? null}, ${draft.local}::boolean,
        ${Boolean(draft.inReplyToId ?? draft.inReplyToUri)}::boolean, ${fromParent(sql`id`, sql`null`)}, ${fromParent(sql`account_id`, sql`null`)},
        ${draft.inReplyToId ? null : (draft.inReplyToUri ?? null)}, ${fromParent(sql`conversation_id`, sql`${rows.conversationId}::bigint`)},
        ${draft.appId ?? null}::bigint, ${rows.mediaIds}::bigint[], ${JSON.stringify(draft.emojis ?? [])}::jsonb, ${rows.createdAt}::timestamptz,
        ${draft.local ? null : new Date()}::timestamptz, ${rows.pollId}::bigint, ${rows.quoteId}::bigint, ${draft.quotePolicy ?? 0}::int,
        ${draft.interactionPolicy ? JSON.stringify(draft.interactionPolicy) : null}::jsonb, ${draft.approval ?? null}, ${draft.approvalUri ?? null}
      from writer
      on conflict (uri) do nothing
      returning id, account_id, visibility, approval, conversation_id, created_at`
}

/** As rows `m`. */
export function mediaRows(media: readonly (RemoteMediaDraft & { id: string })[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(media)}::jsonb)
    as m (id bigint, type media_type, "contentType" text, "remoteUrl" text, description text, blurhash text, meta jsonb)`
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
        and exists (select from statuses s where s.conversation_id = c.id and ${isPublicOrUnlisted(sql`s.visibility`)})`))
  if (known) return localId
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into conversations (id, uri) values (${newId()}, ${uri}) on conflict (uri) do update set uri = excluded.uri returning id`)
  return id
}

async function linkQuotes(tx: Context, id: string, uri: string): Promise<void> {
  await tx.db.run(sql`
    update quotes q set quoted_status_id = p.id, quoted_account_id = p.account_id
    from statuses p where p.id = ${id} and q.quoted_uri = ${uri} and q.quoted_status_id is null`)
}

/**
 * Links replies that arrived before their parent: all, or only one. When the parent restricts replies, those by other accounts
 * become pending; returns their ids, which the job `federation.approval` checks.
 */
export async function linkReplies(
  tx: Context,
  parent: { id: string; uri: string },
  onlyId: string | null = null,
): Promise<string[]> {
  const pending = await tx.db.many<{ id: string }>(sql`
    with linked as (
      update statuses c set in_reply_to_id = p.id, in_reply_to_account_id = p.account_id, in_reply_to_uri = null,
        approval = case when p.approval is not null or (p.interaction_policy ? 'reply' and c.account_id <> p.account_id) then 'pending' end
      from statuses p where p.id = ${parent.id} and c.in_reply_to_uri = ${parent.uri} and p.id <> c.id
        ${onlyId === null ? nothing : sql`and c.id = ${onlyId}`}
      returning c.id, c.visibility, c.approval
    ), counted as (
      insert into status_stats (status_id, replies_count)
      select ${parent.id}::bigint, count(*)::int from linked where ${isPublicOrUnlisted(sql`visibility`)} and approval is null having count(*) > 0
      on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count
    )
    select id from linked where approval = 'pending'`)
  return pending.map(({ id }) => id)
}
