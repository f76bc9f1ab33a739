// The media of an edited status.
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { MediaAttachments, Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { type Focus, isUnattached } from '../media/attachments.ts'
import { type FileKeys, fileKeysIn, storedKeys } from '../media/stored-files.ts'
import type { Thumbnail } from '../media/thumbnail.ts'
import type { RemoteMediaDraft } from './draft.ts'
import { insertRemoteMedia } from './insert-rows.ts'

/** Absent members stay unchanged. */
export type MediaDetails = {
  id: string
  description?: string | null
  focus?: Focus | null
  thumbnail?: Thumbnail
}

/** The keys of the thumbnails that were stored for an edit. */
export const thumbnailKeys = (details: readonly MediaDetails[] = []): string[] =>
  details.flatMap(({ thumbnail }) => thumbnail?.previewKey ?? [])

/** Absent members stay unchanged. */
export type MediaChanges = {
  /** All of the author's own uploads, in order. */
  mediaIds?: readonly string[]
  mediaDetails?: readonly MediaDetails[]
  /** All media of a remote status, in order. Stored ones are recognised by their URL. */
  remoteMedia?: readonly RemoteMediaDraft[]
}

type EditedStatus = Pick<Statuses, 'id' | 'account_id' | 'media_ids'>

type EditedMedia = Pick<
  MediaAttachments,
  'id' | 'description' | 'remote_url' | 'preview_key' | 'preview_remote_url'
> & {
  focus: Focus | null
}

type MediaPlan = {
  ids: string[]
  changed: boolean
  added: (RemoteMediaDraft & { id: string })[]
  details: (Required<Omit<MediaDetails, 'thumbnail'>> & { thumbnail: Thumbnail | null })[]
  /** New covers of stored remote media. They are no part of a revision. */
  covers: { id: string; url: string | null; blurhash: string | null }[]
  replaced: string[]
}

/** Locks the media, so that neither another status nor the clean-up takes one of them. */
export async function planMedia(tx: Context, before: EditedStatus, changes: MediaChanges): Promise<MediaPlan> {
  const mediaIds = changes.mediaIds ?? before.media_ids
  const known = await tx.db.many<EditedMedia>(sql`
    select id, description, meta -> 'focus' as focus, remote_url, preview_key, preview_remote_url from media_attachments
    where (id = any(${mediaIds}::bigint[]) or id = any(${before.media_ids}::bigint[])) and account_id = ${before.account_id}
      and (status_id = ${before.id} or ${isUnattached})
    order by id for no key update`)
  const byId = new Map(known.map((stored) => [stored.id, stored]))
  if (changes.mediaIds?.some((id) => !byId.has(id))) throw new Invalid(message('media_missing'))
  const idByUrl = new Map(known.map((stored) => [stored.remote_url, stored.id]))
  const remote = changes.remoteMedia?.map((media) => ({ ...media, id: idByUrl.get(media.remoteUrl) ?? newId() }))
  const ids = remote?.map(({ id }) => id) ?? [...mediaIds]
  const details = (remote?.map(detailsOf) ?? changes.mediaDetails ?? []).flatMap((wanted) => {
    const stored = ids.includes(wanted.id) ? byId.get(wanted.id) : undefined
    return stored ? changedDetails(stored, wanted) : []
  })
  const covers = (remote ?? []).flatMap(({ id, previewRemoteUrl: url = null, blurhash = null }) => {
    const stored = byId.get(id)
    return stored && stored.preview_remote_url !== url ? [{ id, url, blurhash }] : []
  })
  const newPreviews = new Set([...covers, ...details.filter(({ thumbnail }) => thumbnail)].map(({ id }) => id))
  return {
    ids,
    changed: details.length > 0 || !isDeepStrictEqual(ids, before.media_ids),
    added: (remote ?? []).filter(({ id }) => !byId.has(id)),
    details,
    covers,
    replaced: known.flatMap(({ id, preview_key: key }) => (newPreviews.has(id) && key !== null ? [key] : [])),
  }
}

const detailsOf = ({ id, description = null, meta }: RemoteMediaDraft & { id: string }): MediaDetails => ({
  id,
  description,
  focus: meta?.focus ?? null,
})

/** Empty when the details stay as they are. */
function changedDetails(
  stored: EditedMedia,
  { description = stored.description, focus = stored.focus, thumbnail }: MediaDetails,
): MediaPlan['details'] {
  const isSame = description === stored.description && isDeepStrictEqual(focus, stored.focus) && !thumbnail
  return isSame ? [] : [{ id: stored.id, description, focus, thumbnail: thumbnail ?? null }]
}

/** Those that neither the status nor a revision shows. Returns the keys of their files. */
export async function deleteUnusedMedia(tx: Context, statusId: string): Promise<string[]> {
  const deleted = await tx.db.many<FileKeys>(sql`
    delete from media_attachments m using statuses s
    where s.id = ${statusId} and m.status_id = s.id and m.id <> all(s.media_ids) and not exists (
      select from status_edits e, jsonb_array_elements(e.media) shown
      where e.status_id = s.id and shown ->> 'id' = m.id::text)
    returning ${fileKeysIn('media_attachments')} as keys`)
  return storedKeys(deleted)
}

/** Media that the edit removes stay with the status, for its earlier revisions. */
export async function applyMedia(tx: Context, before: EditedStatus, plan: MediaPlan): Promise<void> {
  if (!plan.changed) return
  await tx.db.run(
    sql`update media_attachments set status_id = ${before.id} where id = any(${plan.ids}::bigint[]) and account_id = ${before.account_id} and status_id is null`,
  )
  if (plan.added.length > 0)
    await tx.db.run(
      insertRemoteMedia(
        plan.added.map((media) => ({ ...media, statusId: before.id })),
        sql`statuses`,
      ),
    )
  if (plan.details.length > 0)
    await tx.db.run(sql`
      update media_attachments m set description = d.description,
        meta = case when d.focus is null or d.focus = 'null' then m.meta - 'focus' else m.meta || jsonb_build_object('focus', d.focus) end
          || case when d.thumbnail ? 'small' then jsonb_build_object('small', d.thumbnail -> 'small', 'colors', d.thumbnail -> 'colors') else '{}' end,
        preview_key = coalesce(d.thumbnail ->> 'previewKey', m.preview_key), blurhash = coalesce(d.thumbnail ->> 'blurhash', m.blurhash)
      from jsonb_to_recordset(${JSON.stringify(plan.details)}::jsonb) as d (id bigint, description text, focus jsonb, thumbnail jsonb) where m.id = d.id`)
}

/** The next request of a cover fetches it, as does the job `media.cache`. */
export async function replaceCovers(tx: Context, covers: MediaPlan['covers']): Promise<void> {
  if (covers.length === 0) return
  await tx.db.run(sql`
    update media_attachments m set preview_remote_url = c.url, preview_key = null, file_size = null, blurhash = c.blurhash, meta = m.meta - 'small'
    from jsonb_to_recordset(${JSON.stringify(covers)}::jsonb) as c (id bigint, url text, blurhash text) where m.id = c.id`)
}
