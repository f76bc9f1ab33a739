import type { Context } from '../../context.ts'
import { commaList, sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { formatField, formatNote } from '../../lib/text/format.ts'
import { tagUrl } from '../server/addresses.ts'
import type { AccountRow, ProfileField } from './find.ts'
import { findKnownMentions } from './known-mentions.ts'
import type { NewProfileImages } from './profile-images.ts'
import type { ProfileChanges } from './profile-rules.ts'

type Before = Pick<
  AccountRow,
  'note_text' | 'fields' | 'locked' | 'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'
>

export type Updated = {
  changed: boolean
  /** The profile was locked and no longer is: pending follow requests are to be accepted. */
  unlocked: boolean
  /** Keys of files that nothing refers to any more. */
  replaced: string[]
}

/**
 * Updates the profile of a local account; `checkProfile` has checked the changes. Fields whose value stays keep their
 * verification. Throws NotFound.
 */
export async function updateProfileRow(
  ctx: Context,
  accountId: string,
  changes: ProfileChanges,
  images: NewProfileImages = {},
): Promise<Updated> {
  return ctx.transaction(async (tx) => {
    const before = await tx.db.maybe<Before>(sql`
      select note_text, fields, locked, avatar_key, avatar_static_key, header_key, header_static_key
      from accounts where id = ${accountId} and domain is null for update`)
    if (!before) throw new NotFound()
    const columns = [...plainColumns(changes), ...imageColumns(images), ...(await textColumns(tx, before, changes))]
    if (columns.length === 0) return { changed: false, unlocked: false, replaced: [] }
    await tx.db.run(sql`update accounts set ${commaList(columns)} where id = ${accountId}`)
    return {
      changed: true,
      unlocked: before.locked && changes.locked === false,
      replaced: replacedKeys(before, images),
    }
  })
}

function plainColumns(changes: ProfileChanges): Sql[] {
  const columns: (Sql | false)[] = [
    changes.display_name !== undefined && sql`display_name = ${changes.display_name}`,
    changes.avatar_description !== undefined && sql`avatar_description = ${changes.avatar_description}`,
    changes.header_description !== undefined && sql`header_description = ${changes.header_description}`,
    changes.locked !== undefined && sql`locked = ${changes.locked}`,
    changes.bot !== undefined && sql`actor_type = ${changes.bot ? 'Service' : 'Person'}`,
    changes.discoverable !== undefined && sql`discoverable = ${changes.discoverable}`,
    changes.indexable !== undefined && sql`indexable = ${changes.indexable}`,
    changes.hide_collections !== undefined && sql`hide_collections = ${changes.hide_collections}`,
    changes.show_media !== undefined && sql`show_media = ${changes.show_media}`,
    changes.show_media_replies !== undefined && sql`show_media_replies = ${changes.show_media_replies}`,
    changes.show_featured !== undefined && sql`show_featured = ${changes.show_featured}`,
    changes.attribution_domains !== undefined && sql`attribution_domains = ${changes.attribution_domains}::text[]`,
  ]
  return columns.filter((column) => column !== false)
}

function imageColumns({ avatar, header }: NewProfileImages): Sql[] {
  return [
    ...(avatar ? [sql`avatar_key = ${avatar.key}`, sql`avatar_static_key = ${avatar.still}`] : []),
    ...(header ? [sql`header_key = ${header.key}`, sql`header_static_key = ${header.still}`] : []),
  ]
}

function replacedKeys(before: Before, { avatar, header }: NewProfileImages): string[] {
  const keys = [
    ...(avatar ? [before.avatar_key, before.avatar_static_key] : []),
    ...(header ? [before.header_key, before.header_static_key] : []),
  ]
  return keys.filter((key) => key !== null)
}

async function textColumns(tx: Context, before: Before, { note, fields }: ProfileChanges): Promise<Sql[]> {
  if (note === undefined && fields === undefined) return []
  const mentions = await findKnownMentions(tx, [note ?? '', ...(fields ?? []).map(({ value }) => value)])
  const style = { mentions, tagUrl: (name: string) => tagUrl(tx, name) }
  const rendered = fields?.map(({ name, value }): ProfileField => {
    const verified = before.fields.find((field) => field.value === value)?.verified_at ?? null
    return { name, value, html: formatField(value, style), verified_at: verified }
  })
  return [
    ...(note === undefined ? [] : [sql`note_text = ${note}`, sql`note = ${formatNote(note, style)}`]),
    ...(rendered === undefined ? [] : [sql`fields = ${JSON.stringify(rendered)}::jsonb`]),
  ]
}
