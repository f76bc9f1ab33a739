import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { parseOurUrl } from '../server/addresses.ts'

/** The ids of the actors that a remote post mentions. */
export const mentionUris = (note: Pick<Note, 'tags'>): string[] => [
  ...new Set(note.tags.flatMap(({ type, href }) => (type === 'Mention' && href !== null ? [href] : []))),
]

/** Whether a post is addressed to a local account. */
export async function isAddressedHere(ctx: Context, note: Pick<Note, 'tags' | 'to' | 'cc'>): Promise<boolean> {
  const uris = localAddresses(ctx, [...mentionUris(note), ...note.to, ...note.cc])
  return uris.length > 0 && (await findAccountsByAddress(ctx, uris)).size > 0
}

/** Those of these addresses that are of local accounts. */
export const localAddresses = (ctx: Context, uris: readonly string[]): string[] =>
  uris.filter((uri) => parseOurUrl(ctx, uri)?.statusId === null)

/** The ids of the accounts with these addresses, by address: ActivityPub ids and profile pages. Unknown ones are missing. */
export async function findAccountsByAddress(ctx: Context, uris: readonly string[]): Promise<Map<string, string>> {
  if (uris.length === 0) return new Map()
  const names = new Map(
    uris.flatMap((uri) => parseOurUrl(ctx, uri)?.username.toLowerCase() ?? []).map((name) => [name, '']),
  )
  const [ours, others] = await Promise.all([
    ctx.db.many<{ name: string; id: string }>(sql`
      select lower(a.username) as name, a.id from accounts a join users u on u.account_id = a.id and u.confirmed_at is not null and u.approved
      where lower(a.username) = any(${[...names.keys()]}::text[]) and coalesce(a.domain, '') = '' and a.suspended_at is null`),
    ctx.db.many<{ uri: string; url: string | null; id: string }>(sql`
      select uri, url, id from accounts where uri = any(${uris}::text[]) and suspended_at is null
      union select uri, url, id from accounts where url = any(${uris}::text[]) and suspended_at is null`),
  ])
  for (const { name, id } of ours) names.set(name, id)
  const found = new Map<string, string>()
  for (const uri of uris) {
    const ownName = parseOurUrl(ctx, uri)?.username.toLowerCase()
    const other = others.find((row) => row.uri === uri) ?? others.find((row) => row.url === uri)
    const id = ownName === undefined ? other?.id : names.get(ownName)
    if (id) found.set(uri, id)
  }
  return found
}
