import type { Context } from '../../context.ts'
import { type Sql, commaList, sql } from '../../db/sql.ts'
import { type AccountRow, type ProfileField } from './find.ts'
import { fromMentioned, linkOf, mentionedColumns, type MentionedRow, parseMentions } from './mentions.ts'
import { type ProfileChanges, assignmentsOf } from './profile-attributes.ts'
import type { NewProfileImages } from './profile-images.ts'
import { tagUrl } from '../server/addresses.ts'
import { NotFound } from '../../lib/errors.ts'
import { type Mentioned, formatField, formatText } from '../../lib/text/format.ts'

type Before = Pick<
  AccountRow,
  | 'note_text'
  | 'fields'
  | 'locked'
  | 'indexable'
  | 'avatar_key'
  | 'avatar_static_key'
  | 'header_key'
  | 'header_static_key'
>

type Updated = {
  changed: boolean
  /** The profile was locked and no longer is: pending follow requests are to be accepted. */
  unlocked: boolean
  indexableChanged: boolean
  replaced: string[]
}

/** `checkProfile` must have checked the changes. Fields whose value stays keep their verification. Throws NotFound. */
export async function updateProfileRow(
  ctx: Context,
  accountId: string,
  changes: ProfileChanges,
  images: NewProfileImages = {},
): Promise<Updated> {
  return ctx.transaction(async (tx) => {
    const before = await tx.db.maybe<Before>(sql`
      select note_text, fields, locked, indexable, avatar_key, avatar_static_key, header_key, header_static_key
      from accounts where id = ${accountId} and domain is null for update`)
    if (!before) throw new NotFound()
    const columns = [...assignmentsOf(changes), ...imageColumns(images), ...(await textColumns(tx, before, changes))]
    if (columns.length === 0) return { changed: false, unlocked: false, indexableChanged: false, replaced: [] }
    await tx.db.run(sql`update accounts set ${commaList(columns)} where id = ${accountId}`)
    return {
      changed: true,
      unlocked: before.locked && changes.locked === false,
      indexableChanged: changes.indexable !== undefined && changes.indexable !== before.indexable,
      replaced: replacedKeys(before, images),
    }
  })
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
    ...(note === undefined ? [] : [sql`note_text = ${note}`, sql`note = ${formatText(note, style)}`]),
    ...(rendered === undefined ? [] : [sql`fields = ${JSON.stringify(rendered)}::jsonb`]),
  ]
}

/** By handle as typed. Does not resolve unknown handles. */
async function findKnownMentions(ctx: Context, texts: readonly string[]): Promise<Map<string, Mentioned>> {
  const mentions = texts.flatMap((text) => parseMentions(ctx, text))
  if (mentions.length === 0) return new Map()
  const rows = await ctx.db.many<MentionedRow>(sql`select ${mentionedColumns} ${fromMentioned(mentions)}`)
  return new Map(rows.map((row) => [row.handle, linkOf(ctx, row)]))
}
