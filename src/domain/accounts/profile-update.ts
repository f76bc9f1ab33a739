import type { Accounts } from '../../db/schema.ts'
import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { type Sql, commaList, sql } from '../../db/sql.ts'
import { type AccountRow, type ProfileField, isShown } from './find.ts'
import { type ProfileChanges, assignmentsOf } from './profile-attributes.ts'
import type { NewProfileImages } from './profile-images.ts'
import { accountUrl, isLocalDomain, tagUrl } from '../server/addresses.ts'
import { NotFound } from '../../lib/errors.ts'
import { extractMentions } from '../../lib/text/extract.ts'
import { type Mentioned, formatField, formatText } from '../../lib/text/format.ts'

type Before = Pick<
  AccountRow,
  'note_text' | 'fields' | 'locked' | 'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'
>

type Updated = {
  changed: boolean
  /** The profile was locked and no longer is: pending follow requests are to be accepted. */
  unlocked: boolean
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
      select note_text, fields, locked, avatar_key, avatar_static_key, header_key, header_static_key
      from accounts where id = ${accountId} and domain is null for update`)
    if (!before) throw new NotFound()
    const columns = [...assignmentsOf(changes), ...imageColumns(images), ...(await textColumns(tx, before, changes))]
    if (columns.length === 0) return { changed: false, unlocked: false, replaced: [] }
    await tx.db.run(sql`update accounts set ${commaList(columns)} where id = ${accountId}`)
    return {
      changed: true,
      unlocked: before.locked && changes.locked === false,
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

type Row = Pick<Accounts, 'username' | 'domain' | 'url' | 'uri'> & { handle: string }

/** By handle as typed. Does not resolve unknown handles. */
async function findKnownMentions(ctx: Context, texts: readonly string[]): Promise<Map<string, Mentioned>> {
  const wanted = [...new Set(texts.flatMap(extractMentions))].flatMap((handle) => {
    const [username = '', typed] = handle.split('@')
    const domain = typed === undefined ? '' : normaliseDomain(typed)
    return domain === null
      ? []
      : [{ handle, username, domain: domain !== '' && isLocalDomain(ctx, domain) ? '' : domain }]
  })
  if (wanted.length === 0) return new Map()
  const rows = await ctx.db.many<Row>(sql`
    select w.handle, a.username, a.domain, a.url, a.uri
    from unnest(${wanted.map((w) => w.handle)}::text[], ${wanted.map((w) => w.username)}::text[], ${wanted.map((w) => w.domain)}::text[]) as w (handle, username, domain)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
    where a.suspended_at is null and ${isShown}`)
  return new Map(
    rows.map((row) => [
      row.handle,
      row.domain === null
        ? { url: accountUrl(ctx, row.username), acct: row.username }
        : { url: row.url ?? row.uri ?? '', acct: `${row.username}@${row.domain}` },
    ]),
  )
}
