import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { getOrCreateTags, touchTags } from '../tags/tags.ts'
import type { Thumbnail } from '../media/thumbnail.ts'
import type { RemoteMediaDraft, StatusBody, InteractionPolicy } from './draft.ts'
import { applyPoll, planPoll } from './polls/polls.ts'
import { mediaRows } from './insert.ts'
import type { PollDraft } from './draft.ts'

/** What is said of a medium anew. Absent members stay. */
export type MediaDetails = {
  id: string
  description?: string | null
  focus?: { x: number; y: number } | null
  thumbnail?: Thumbnail
}

/** What an edit changes; absent members stay as they are. All values are ready. */
export type StatusChanges = Partial<StatusBody> & {
  /** Own uploads: all of them, in order. */
  mediaIds?: readonly string[]
  mediaDetails?: readonly MediaDetails[]
  /** The media of a remote post: all of them, in order. Known ones are recognised by their address. */
  remoteMedia?: readonly RemoteMediaDraft[]
  /** Null: without a poll from now on. */
  poll?: PollDraft | null
  /** Who may quote it: quotes/policy.ts. */
  quotePolicy?: number
  /** Of a remote post. */
  interactionPolicy?: InteractionPolicy | null
  /** When a remote post was edited; an edit that is not newer than the last one is none. */
  editedAt?: Date
}

export type Edited = {
  accountId: string
  local: boolean
  /** Accounts that are mentioned now and were not before, and the other way round. */
  mentioned: string[]
  unmentioned: string[]
  /** Whether it says something else now: the time a poll runs and who may quote it are changed without an edit. */
  revised: boolean
  /** Whether it is a reply that waits for approval, or was not approved: no one is notified of the edit. */
  unapproved: boolean
  /** Keys of files that nothing refers to now. */
  replaced: string[]
}

type Medium = {
  id: string
  description: string | null
  focus: { x: number; y: number } | null
  remote_url: string | null
  preview_key: string | null
  attached: boolean
}
type Row = {
  id: string
  account_id: string
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  local: boolean
  media_ids: string[]
  emojis: unknown
  poll_id: string | null
  quote_policy: number
  interaction_policy: InteractionPolicy | null
  approval: string | null
  edited_at: Date | null
}

/**
 * Changes a stored post, keeping what it was as a revision. Null when nothing would change. Throws NotFound for a missing post or
 * a boost, Invalid when media are not the author's or belong to another post.
 */
export async function applyEdit(tx: Context, statusId: string, changes: StatusChanges): Promise<Edited | null> {
  const tagIds = changes.tags === undefined ? null : await getOrCreateTags(tx, changes.tags)
  const before = await tx.db.maybe<Row>(
    sql`select * from statuses where id = ${statusId} and reblog_of_id is null for no key update`,
  )
  if (!before) throw new NotFound()
  if (changes.editedAt && before.edited_at && changes.editedAt < before.edited_at) return null
  const poll = changes.poll === undefined ? null : await planPoll(tx, statusId, before.poll_id, changes.poll)
  const author = { accountId: before.account_id, local: before.local, unapproved: before.approval !== null }
  const asBefore = { ...author, mentioned: [], unmentioned: [], replaced: [], revised: false }
  const isKnown = Boolean(changes.editedAt && before.edited_at && changes.editedAt <= before.edited_at)
  const media = isKnown ? null : await planMedia(tx, before, changes)
  if (!media || (!media.changed && !poll?.isEdit && !bodyChanges(before, changes))) {
    const touched = [
      await setPolicy(tx, before, changes),
      poll !== null && !poll.isEdit && (await applyPoll(tx, statusId, poll)),
    ]
    return touched.some(Boolean) ? asBefore : null
  }
  await keepRevision(tx, statusId)
  await applyMedia(tx, before, media)
  if (poll) await applyPoll(tx, statusId, poll)
  await updateRow(tx, before, changes, media.ids)
  await setPolicy(tx, before, changes)
  if (tagIds) await replaceTags(tx, statusId, tagIds)
  const { mentioned, unmentioned } = await replaceMentions(tx, before, changes.mentionIds)
  return { ...author, mentioned, unmentioned, revised: true, replaced: media.replaced }
}

/** Gives whether it changed. */
async function setPolicy(tx: Context, before: Row, changes: StatusChanges): Promise<boolean> {
  const { quotePolicy = before.quote_policy, interactionPolicy = before.interaction_policy } = changes
  if (quotePolicy === before.quote_policy && isDeepStrictEqual(interactionPolicy, before.interaction_policy))
    return false
  await tx.db.run(sql`
    update statuses set quote_policy = ${quotePolicy},
      interaction_policy = ${interactionPolicy && JSON.stringify(interactionPolicy)}::jsonb where id = ${before.id}`)
  return true
}

/** The text decides where there is one: the same text may be rendered otherwise by now, which is no edit. */
function bodyChanges(before: Row, after: StatusChanges): boolean {
  const differs = <T>(now: T | undefined, then: T): boolean => now !== undefined && !isDeepStrictEqual(now, then)
  return (
    (after.text === undefined ? differs(after.content, before.content) : after.text !== before.text) ||
    differs(after.spoilerText, before.spoiler_text) ||
    differs(after.sensitive, before.sensitive) ||
    differs(after.language, before.language) ||
    (after.emojis !== undefined && !before.local && differs<unknown>(after.emojis, before.emojis))
  )
}

type MediaPlan = {
  ids: string[]
  changed: boolean
  added: (RemoteMediaDraft & { id: string })[]
  details: (Required<Omit<MediaDetails, 'thumbnail'>> & { thumbnail: Thumbnail | null })[]
  /** Files that the details replace. */
  replaced: string[]
}

/** Holds the media, lest another post or the sweep takes one of them meanwhile. */
async function planMedia(tx: Context, before: Row, changes: StatusChanges): Promise<MediaPlan> {
  const wanted = changes.mediaIds ?? before.media_ids
  const known = await tx.db.many<Medium>(sql`
    select id, description, meta -> 'focus' as focus, remote_url, preview_key, status_id is not null as attached from media_attachments
    where (id = any(${wanted}::bigint[]) or id = any(${before.media_ids}::bigint[])) and account_id = ${before.account_id}
      and (status_id = ${before.id} or num_nonnulls(status_id, scheduled_status_id) = 0)
    order by id for no key update`)
  const byId = new Map(known.map((medium) => [medium.id, medium]))
  if (changes.mediaIds?.some((id) => !byId.has(id))) throw invalidRequest('media_missing')
  const plan: MediaPlan = { ids: [...wanted], changed: false, added: [], details: [], replaced: [] }
  let said: readonly MediaDetails[] = changes.mediaDetails ?? []
  if (changes.remoteMedia) {
    const byUrl = new Map(known.map((medium) => [medium.remote_url, medium]))
    const all = changes.remoteMedia.map((medium) => ({ ...medium, id: byUrl.get(medium.remoteUrl)?.id ?? newId() }))
    plan.ids = all.map(({ id }) => id)
    plan.added = all.filter(({ id }) => !byId.has(id))
    said = all
      .filter(({ id }) => byId.has(id))
      .map(({ id, description, meta }) => ({ id, description: description ?? null, focus: meta?.focus ?? null }))
  }
  for (const { id, description, focus, thumbnail } of said) {
    const medium = plan.ids.includes(id) ? byId.get(id) : undefined
    if (!medium) continue
    const after = {
      id,
      description: description === undefined ? medium.description : description,
      focus: focus === undefined ? medium.focus : focus,
      thumbnail: thumbnail ?? null,
    }
    if (thumbnail && medium.preview_key !== null) plan.replaced.push(medium.preview_key)
    if (thumbnail || after.description !== medium.description || !isDeepStrictEqual(after.focus, medium.focus))
      plan.details.push(after)
  }
  plan.changed = plan.details.length > 0 || !isDeepStrictEqual(plan.ids, before.media_ids)
  return plan
}

/** The post as it stands becomes the newest of its earlier revisions. */
async function keepRevision(tx: Context, statusId: string): Promise<void> {
  await tx.db.run(sql`
    insert into status_edits (status_id, account_id, content, spoiler_text, sensitive, media, emojis, created_at, poll_options)
    select s.id, s.account_id, s.content, s.spoiler_text, s.sensitive, coalesce((
        select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description, 'focus', m.meta -> 'focus') order by place.n)
        from unnest(s.media_ids) with ordinality place (id, n) join media_attachments m on m.id = place.id), '[]'),
      s.emojis, coalesce(s.edited_at, s.created_at), (select p.options from polls p where p.id = s.poll_id)
    from statuses s where s.id = ${statusId}`)
}

/** Media that are taken out stay with the post, for its earlier revisions. */
async function applyMedia(tx: Context, before: Row, plan: MediaPlan): Promise<void> {
  if (!plan.changed) return
  await tx.db.run(
    sql`update media_attachments set status_id = ${before.id} where id = any(${plan.ids}::bigint[]) and account_id = ${before.account_id} and status_id is null`,
  )
  if (plan.added.length > 0)
    await tx.db.run(sql`
      insert into media_attachments (id, account_id, status_id, type, content_type, remote_url, description, blurhash, meta)
      select m.id, ${before.account_id}, ${before.id}, m.type, m."contentType", m."remoteUrl", m.description, m.blurhash, coalesce(m.meta, '{}') from ${mediaRows(plan.added)}`)
  if (plan.details.length > 0)
    await tx.db.run(sql`
      update media_attachments m set description = d.description,
        meta = case when d.focus is null or d.focus = 'null' then m.meta - 'focus' else m.meta || jsonb_build_object('focus', d.focus) end
          || case when d.thumbnail ? 'small' then jsonb_build_object('small', d.thumbnail -> 'small', 'colors', d.thumbnail -> 'colors') else '{}' end,
        preview_key = coalesce(d.thumbnail ->> 'previewKey', m.preview_key), blurhash = coalesce(d.thumbnail ->> 'blurhash', m.blurhash)
      from jsonb_to_recordset(${JSON.stringify(plan.details)}::jsonb) as d (id bigint, description text, focus jsonb, thumbnail jsonb) where m.id = d.id`)
}

async function updateRow(tx: Context, before: Row, changes: StatusChanges, mediaIds: string[]): Promise<void> {
  const sensitive = changes.sensitive ?? before.sensitive
  await tx.db.run(sql`
    update statuses set text = ${changes.text ?? before.text}, content = ${changes.content ?? before.content},
      spoiler_text = ${changes.spoilerText ?? before.spoiler_text}, sensitive = ${sensitive},
      language = ${changes.language === undefined ? before.language : changes.language}, media_ids = ${mediaIds}::bigint[],
      emojis = ${JSON.stringify(changes.emojis ?? before.emojis)}::jsonb, edited_at = ${changes.editedAt ?? new Date()}
    where id = ${before.id}`)
}

async function replaceTags(tx: Context, statusId: string, tagIds: string[]): Promise<void> {
  await tx.db.run(sql`delete from status_tags where status_id = ${statusId} and tag_id <> all(${tagIds}::bigint[])`)
  await tx.db.run(
    sql`insert into status_tags (status_id, tag_id) select ${statusId}, unnest(${tagIds}::bigint[]) on conflict do nothing`,
  )
  await touchTags(tx, tagIds)
}

async function replaceMentions(
  tx: Context,
  { id: statusId, local }: Row,
  ids: readonly string[] | undefined,
): Promise<{ mentioned: string[]; unmentioned: string[] }> {
  if (ids === undefined) return { mentioned: [], unmentioned: [] }
  const gone = await tx.db.many<{ account_id: string }>(sql`
    with gone as (
      delete from mentions where status_id = ${statusId} and account_id <> all(${ids}::bigint[]) returning status_id, account_id
    ), former as (
      insert into former_mentions (status_id, account_id) select status_id, account_id from gone where ${local} on conflict do nothing
    )
    select account_id from gone`)
  const added = await tx.db.many<{ account_id: string }>(sql`
    with added as (
      insert into mentions (status_id, account_id) select ${statusId}, unnest(${ids}::bigint[]) on conflict do nothing returning status_id, account_id
    ), former as (
      delete from former_mentions f using added where f.status_id = added.status_id and f.account_id = added.account_id
    )
    select account_id from added`)
  return { mentioned: added.map((row) => row.account_id), unmentioned: gone.map((row) => row.account_id) }
}
