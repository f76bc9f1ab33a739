import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { Statuses, StatusTags } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { getOrCreateTags, recordTagUses, touchTags } from '../tags/tags.ts'
import type { InteractionPolicy, PollDraft, StatusBody } from './draft.ts'
import { applyMedia, deleteUnusedMedia, type MediaChanges, planMedia, replaceCovers } from './edit-media.ts'
import { replaceMentions } from './mentions.ts'
import { applyPoll, planPoll, type PollEnd } from './polls/polls.ts'
import { isPublicOrUnlisted } from './visibility.ts'

/** Absent and undefined members stay unchanged. Text is rendered already, media are checked. */
export type StatusChanges = Partial<StatusBody> &
  MediaChanges & {
    /** Null removes the poll. */
    poll?: PollDraft | null
    /** Packed: see quotes/policy.ts. */
    quotePolicy?: number
    interactionPolicy?: InteractionPolicy | null
    /**
     * Only of remote statuses. An older edit than the last one is ignored; an equally old one changes only policies and the poll.
     */
    editedAt?: Date
  }

export type Edited = {
  accountId: string
  local: boolean
  mentioned: string[]
  unmentioned: string[]
  /** False when only policies, covers of remote media or the end of a poll change. */
  revised: boolean
  /** Whether the status is a reply without the approval that it needs: the edit is not published. */
  unapproved: boolean
  /** Keys of thumbnails and covers that the edit replaced, and of the media of revisions that are stored no longer. */
  replacedFiles: string[]
  /** The time at which the job `polls.close` must run. */
  pollEnd: PollEnd | null
}

type EditedRow = Pick<
  Statuses,
  | 'id'
  | 'account_id'
  | 'visibility'
  | 'text'
  | 'content'
  | 'spoiler_text'
  | 'sensitive'
  | 'language'
  | 'local'
  | 'media_ids'
  | 'emojis'
  | 'poll_id'
  | 'quote_policy'
  | 'approval'
  | 'edited_at'
> & {
  interaction_policy: InteractionPolicy | null
  /** Moderators marked it as sensitive: no edit takes the mark away, until an appeal against it succeeds. */
  marked: boolean
}

/**
 * Stores the previous revision. Returns null when nothing changes. Throws NotFound for a missing status and for a reblog,
 * Invalid when an attachment is not the author's own or belongs to another status.
 */
export async function applyEdit(tx: Context, statusId: string, requested: StatusChanges): Promise<Edited | null> {
  const tagIds = requested.tags === undefined ? null : await getOrCreateTags(tx, requested.tags, 'folded')
  const before = await lockForEdit(tx, statusId)
  const changes = before.marked && requested.sensitive === false ? { ...requested, sensitive: true } : requested
  if (changes.editedAt && before.edited_at && changes.editedAt < before.edited_at) return null
  const poll = changes.poll === undefined ? null : await planPoll(tx, statusId, before.poll_id, changes.poll)
  const author = { accountId: before.account_id, local: before.local, unapproved: before.approval !== null }
  const isSameEdit = Boolean(changes.editedAt && before.edited_at && changes.editedAt <= before.edited_at)
  const media = isSameEdit ? null : await planMedia(tx, before, changes)
  if (!media || (!media.changed && !poll?.isEdit && !bodyChanges(before, changes))) {
    const isPolicyNew = await setPolicy(tx, before, changes)
    const applied = poll === null || poll.isEdit ? null : await applyPoll(tx, statusId, poll)
    const covers = media?.covers ?? []
    await replaceCovers(tx, covers)
    if (!isPolicyNew && !applied?.changed && covers.length === 0) return null
    const pollEnd = applied?.end ?? null
    const replacedFiles = media?.replaced ?? []
    return { ...author, mentioned: [], unmentioned: [], revised: false, replacedFiles, pollEnd }
  }
  const isTrimmed = await storeRevision(tx, statusId)
  await applyMedia(tx, before, media)
  await replaceCovers(tx, media.covers)
  const pollEnd = poll === null ? null : (await applyPoll(tx, statusId, poll)).end
  await updateRow(tx, before, changes, media.ids)
  const replacedFiles = [...media.replaced, ...(isTrimmed ? await deleteUnusedMedia(tx, statusId) : [])]
  await setPolicy(tx, before, changes)
  if (tagIds) await replaceTags(tx, before, tagIds, requested.tags ?? [])
  const { mentioned, unmentioned } = await replaceMentions(tx, before, changes)
  return { ...author, mentioned, unmentioned, revised: true, replacedFiles, pollEnd }
}

async function lockForEdit(tx: Context, statusId: string): Promise<EditedRow> {
  const row = await tx.db.maybe<EditedRow>(sql`
    select id, account_id, visibility, text, content, spoiler_text, sensitive, language, local, media_ids, emojis, poll_id, quote_policy,
      interaction_policy, approval, edited_at, sensitive and exists (
        select from account_warnings w where w.target_account_id = statuses.account_id and w.overruled_at is null
          and w.action = 'mark_statuses_as_sensitive' and statuses.id = any(w.status_ids)) as marked
    from statuses where id = ${statusId} and reblog_of_id is null for no key update`)
  if (!row) throw new NotFound()
  return row
}

/** Returns whether a policy changed. */
async function setPolicy(tx: Context, before: EditedRow, changes: StatusChanges): Promise<boolean> {
  const { quotePolicy = before.quote_policy, interactionPolicy = before.interaction_policy } = changes
  if (quotePolicy === before.quote_policy && isDeepStrictEqual(interactionPolicy, before.interaction_policy))
    return false
  await tx.db.run(sql`
    update statuses set quote_policy = ${quotePolicy},
      interaction_policy = ${interactionPolicy && JSON.stringify(interactionPolicy)}::jsonb where id = ${before.id}`)
  return true
}

/** Compares the text when there is one: after an update of the server, the same text may be rendered differently. */
function bodyChanges(before: EditedRow, after: StatusChanges): boolean {
  const differs = <T>(now: T | undefined, then: T): boolean => now !== undefined && !isDeepStrictEqual(now, then)
  return (
    (after.text === undefined ? differs(after.content, before.content) : after.text !== before.text) ||
    differs(after.spoilerText, before.spoiler_text) ||
    differs(after.sensitive, before.sensitive) ||
    differs(after.language, before.language) ||
    (after.emojis !== undefined && !before.local && differs<unknown>(after.emojis, before.emojis))
  )
}

/** The first one and the newest ones: histories are read as a whole, and other servers may send any number of edits. */
const MAX_REVISIONS = 100

/** Returns whether an older revision had to make room. */
async function storeRevision(tx: Context, statusId: string): Promise<boolean> {
  await tx.db.run(sql`
    insert into status_edits (status_id, account_id, content, spoiler_text, sensitive, media, emojis, created_at, poll_options)
    select s.id, s.account_id, s.content, s.spoiler_text, s.sensitive, coalesce((
        select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description, 'focus', m.meta -> 'focus') order by place.n)
        from unnest(s.media_ids) with ordinality place (id, n) join media_attachments m on m.id = place.id), '[]'),
      s.emojis, coalesce(s.edited_at, s.created_at), (select p.options from polls p where p.id = s.poll_id)
    from statuses s where s.id = ${statusId}`)
  const revisions = sql`select id from status_edits where status_id = ${statusId}`
  const trimmed = await tx.db.run(sql`
    delete from status_edits where id in (
      (${revisions} order by id desc offset ${MAX_REVISIONS - 1}::int) except (${revisions} order by id limit 1))`)
  return trimmed > 0
}

async function updateRow(tx: Context, before: EditedRow, changes: StatusChanges, mediaIds: string[]): Promise<void> {
  const sensitive = changes.sensitive ?? before.sensitive
  await tx.db.run(sql`
    update statuses set text = ${changes.text ?? before.text}, content = ${changes.content ?? before.content},
      spoiler_text = ${changes.spoilerText ?? before.spoiler_text}, sensitive = ${sensitive},
      language = ${changes.language === undefined ? before.language : changes.language}, media_ids = ${mediaIds}::bigint[],
      emojis = ${JSON.stringify(changes.emojis ?? before.emojis)}::jsonb, edited_at = ${changes.editedAt ?? new Date()}
    where id = ${before.id}`)
}

async function replaceTags(tx: Context, before: EditedRow, tagIds: string[], names: readonly string[]): Promise<void> {
  const { id: statusId, visibility, approval } = before
  await tx.db.run(sql`delete from status_tags where status_id = ${statusId} and tag_id <> all(${tagIds}::bigint[])`)
  const added = await tx.db.many<Pick<StatusTags, 'tag_id'>>(sql`
    insert into status_tags (status_id, tag_id) select ${statusId}, unnest(${tagIds}::bigint[]) on conflict do nothing returning tag_id`)
  const addedIds = added.map(({ tag_id }) => tag_id)
  if (addedIds.length === 0) return
  await recordTagUses(tx, statusId, addedIds)
  if (isPublicOrUnlisted(visibility) && approval === null) await touchTags(tx, addedIds, names)
}
