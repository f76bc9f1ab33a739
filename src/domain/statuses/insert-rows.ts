import type { Context } from '../../context.ts'
import { type Sql, commaList, nothing, sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'
import { lockAgainstDeletion } from '../accounts/find.ts'
import { countedTagUses, isStaleTag } from '../tags/tags.ts'
import type { RemoteMediaDraft, StatusDraft } from './draft.ts'
import { isPublicOrUnlistedSql } from './visibility.ts'

export type PreparedRows = {
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
export type InsertedRow = { stale_tags?: string[]; attached?: number; parent_id?: string | null }

type New = { draft: StatusDraft; rows: PreparedRows }

/**
 * Null where the author or a tag is missing, and where a status with the ActivityPub id or with the id is stored; 'taken' where
 * another status of the batch has the id.
 */
export const insertRows = batchedFor(async (tx: Context, news: New[]): Promise<(InsertedRow | 'taken' | null)[]> => {
  const newById = new Map(news.map((each) => [each.rows.id, each]))
  const inserted = await tx.db.many<InsertedRow & { id: string }>(insertStatement([...newById.values()]))
  const rowById = new Map(inserted.map((row) => [row.id, row]))
  return news.map((each) => (newById.get(each.rows.id) === each ? (rowById.get(each.rows.id) ?? null) : 'taken'))
})

/**
 * One statement for all rows, made only of the parts that some of the statuses have: each relation that a statement names costs,
 * used or not. It locks authors, parents and mentioned accounts against deletion. It counts no direct statuses, and only replies
 * that everyone may see.
 */
function insertStatement(news: readonly New[]): Sql {
  const accountIds = [...new Set(news.map(({ draft }) => draft.accountId))]
  const parentIds = [...new Set(news.flatMap(({ draft }) => draft.inReplyToId ?? []))]
  const mentionIds = [...new Set(news.flatMap(({ draft }) => draft.mentionIds ?? []))]
  const tagNames = [...new Set(news.flatMap(({ rows }) => rows.tagNames))]
  const media = news.flatMap(({ rows }) => rows.media.map((each) => ({ ...each, statusId: rows.id })))
  const uploads = news.some(({ draft }) => (draft.mediaIds ?? []).length > 0)
  const tagged = tagNames.length > 0
  const replies = parentIds.length > 0
  const parts = [
    sql`new as materialized (select * from ${newRows(news)})`,
    tagged &&
      sql`tag as materialized (select id, name, usable, ${isStaleTag} as stale from tags where name = any(${tagNames}::text[]))`,
    sql`writer as (
      select id, silenced_at from accounts where id = any(${accountIds}::bigint[]) and suspended_at is null order by id for key share
    )`,
    replies &&
      sql`parent as (select id, account_id, conversation_id from statuses where id = any(${parentIds}::bigint[]) order by id for key share)`,
    sql`status as (${insertedStatuses({ tagged, replies })})`,
    sql`conversation as (
      insert into conversations (id) select status.conversation_id from status join new on new.id = status.id
      where status.conversation_id = new."conversationId" on conflict do nothing
    )`,
    ...(mentionIds.length > 0 ? mentionParts(mentionIds) : []),
    ...(tagged ? tagParts : []),
    ...mediaParts(media, uploads),
    ...countParts(news, replies),
  ]
  const results = [
    sql`status.id`,
    tagged && sql`array(select tag_id from tagging where status_id = status.id and stale)::text[] as stale_tags`,
    uploads && sql`(select count(*)::int from attached where attached.status_id = status.id) as attached`,
    replies && sql`status.in_reply_to_id as parent_id`,
  ]
  return sql`with ${commaList(parts)} select ${commaList(results)} from status`
}

const mentionParts = (ids: readonly string[]): Sql[] => [
  sql`mentionable as (${lockAgainstDeletion(ids)})`,
  sql`mentioned as (
    insert into mentions (status_id, account_id, hidden, place)
    select status.id, mentionable.id, mentionable.id = any(new."hiddenMentionIds"), place::smallint
    from status join new on new.id = status.id cross join lateral unnest(new."mentionIds") with ordinality m (id, place)
      join mentionable on mentionable.id = m.id on conflict do nothing
  )`,
]

/** The tags of new statuses, and their uses. */
const tagParts = [
  sql`tagging as (
    select status.id as status_id, tag.id as tag_id, tag.stale from status join new on new.id = status.id join tag on tag.name = any(new."tagNames")
  )`,
  sql`tagged as (insert into status_tags (status_id, tag_id) select status_id, tag_id from tagging)`,
  countedTagUses,
]

type NewMedia = RemoteMediaDraft & { id: string; statusId: string }

const mediaParts = (media: readonly NewMedia[], uploads: boolean): (Sql | false)[] => [
  uploads &&
    sql`attached as (
      update media_attachments m set status_id = status.id from status join new on new.id = status.id, unnest(new.uploads) upload
      where m.id = upload and m.account_id = status.account_id and m.status_id is null and m.scheduled_status_id is null
      returning m.status_id
    )`,
  media.length > 0 && sql`remote_media as (${insertRemoteMedia(media, sql`status`)})`,
]

const countParts = (news: readonly New[], replies: boolean): (Sql | false)[] => [
  news.some(({ draft }) => draft.visibility !== 'direct') &&
    sql`author as (
      insert into account_stats (account_id, statuses_count, last_status_at)
      select account_id, count(*), max((created_at at time zone 'utc')::date) from status
      where visibility <> 'direct' group by account_id order by account_id
      on conflict (account_id) do update set statuses_count = account_stats.statuses_count + excluded.statuses_count,
        last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)
    )`,
  replies &&
    sql`answered as (
      insert into status_stats (status_id, replies_count)
      select in_reply_to_id, count(*) from status
      where in_reply_to_id is not null and ${isPublicOrUnlistedSql(sql`visibility`)} and approval is null
      group by in_reply_to_id order by in_reply_to_id
      on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count
    )`,
]

/** A text from another server may have lone surrogates, which JSON escapes and PostgreSQL refuses. */
const wellFormed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

function newRows(news: readonly New[]): Sql {
  const all = news.map(({ draft, rows }) => ({
    ...rows,
    media: undefined,
    accountId: draft.accountId,
    uri: draft.uri ?? null,
    url: draft.url ?? null,
    text: draft.text ?? '',
    content: draft.content,
    spoilerText: draft.spoilerText ?? '',
    visibility: draft.visibility,
    sensitive: draft.sensitive ?? false,
    language: draft.language ?? null,
    local: draft.local,
    reply: Boolean(draft.inReplyToId ?? draft.inReplyToUri),
    parentId: draft.inReplyToId ?? null,
    parentUri: draft.inReplyToId ? null : (draft.inReplyToUri ?? null),
    appId: draft.appId ?? null,
    emojis: draft.emojis ?? [],
    fetchedAt: draft.local ? null : new Date(),
    quotePolicy: draft.quotePolicy ?? 0,
    interactionPolicy: draft.interactionPolicy ?? null,
    approval: draft.approval ?? null,
    approvalUri: draft.approvalUri ?? null,
    silent: draft.silent ?? false,
    mentionIds: draft.mentionIds ?? [],
    hiddenMentionIds: draft.hiddenMentionIds ?? [],
    uploads: draft.mediaIds ?? [],
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(all, wellFormed)}::jsonb) as r (
      id bigint, "conversationId" bigint, "createdAt" timestamptz, "mediaIds" bigint[], "tagNames" text[], "pollId" bigint, "quoteId" bigint,
      "accountId" bigint, uri text, url text, text text, content text, "spoilerText" text, visibility visibility, sensitive boolean,
      language text, local boolean, reply boolean, "parentId" bigint, "parentUri" text, "appId" bigint, emojis jsonb, "fetchedAt" timestamptz,
      "quotePolicy" int, "interactionPolicy" jsonb, approval text, "approvalUri" text, silent boolean, "mentionIds" bigint[], "hiddenMentionIds" bigint[], uploads bigint[])`
}

function insertedStatuses({ tagged, replies }: { tagged: boolean; replies: boolean }): Sql {
  const fromParent = (column: Sql, otherwise: Sql): Sql =>
    replies ? sql`coalesce(${column}, ${otherwise})` : otherwise
  const hasAllTags = sql`where (select count(*) from tag where tag.name = any(new."tagNames")) = cardinality(new."tagNames")`
  return sql`
      insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language, local, reply,
        in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, app_id, media_ids, emojis, created_at, fetched_at,
        poll_id, quote_id, quote_policy, interaction_policy, approval, approval_uri, silent)
      select new.id, writer.id, uri, url, text, content, "spoilerText", visibility, sensitive, language, local, reply,
        ${replies ? sql`parent.id, parent.account_id` : sql`null, null`}, "parentUri", ${fromParent(sql`parent.conversation_id`, sql`"conversationId"`)},
        "appId", "mediaIds", emojis, "createdAt", "fetchedAt", "pollId", "quoteId", "quotePolicy", "interactionPolicy", approval, "approvalUri", silent
      from new join writer on writer.id = new."accountId" ${replies ? sql`left join parent on parent.id = new."parentId"` : nothing}
      ${tagged ? hasAllTags : nothing}
      on conflict do nothing
      returning id, account_id, visibility, approval, conversation_id, created_at, in_reply_to_id`
}

/** `statuses`: the table, or the part of the statement, that has their statuses. */
export const insertRemoteMedia = (media: readonly NewMedia[], statuses: Sql): Sql => sql`
  insert into media_attachments (id, account_id, status_id, type, content_type, remote_url, preview_remote_url, description, blurhash, meta)
  select m.id, s.account_id, s.id, m.type, m."contentType", m."remoteUrl", m."previewRemoteUrl", m.description, m.blurhash, coalesce(m.meta, '{}')
  from jsonb_to_recordset(${JSON.stringify(media)}::jsonb)
    as m (id bigint, "statusId" bigint, type media_type, "contentType" text, "remoteUrl" text, "previewRemoteUrl" text, description text,
      blurhash text, meta jsonb)
  join ${statuses} s on s.id = m."statusId"`
