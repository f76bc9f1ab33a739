import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { resolveActor } from '../../actions/remote/resolve-account.ts'
import { parseOurUrl } from '../server/addresses.ts'
import type { Visibility } from '../../db/schema.ts'

/** So many people that were never heard of are looked up for one post, for so long (milliseconds). */
const MAX_LOOK_UPS = 20
const AT_ONCE = 5
const PATIENCE = 20_000

const mentionUris = (note: Pick<Note, 'tags'>): string[] => [
  ...new Set(note.tags.flatMap(({ type, href }) => (type === 'Mention' && href !== null ? [href] : []))),
]

/**
 * Which accounts a remote post mentions: those its tags name, with `resolveMentions` looked up where they are not known. Of posts for few, people of this
 * server whom it is addressed to count as well, as they could not read it otherwise. Never call it in a transaction.
 */
export async function findRemoteMentions(
  ctx: Context,
  note: Note,
  visibility: Visibility,
  options: { resolveMentions?: boolean },
): Promise<string[]> {
  const uris = mentionUris(note)
  const known = await findKnown(ctx, uris)
  const strangers = uris.filter((uri) => !known.has(uri) && parseOurUrl(ctx, uri) === null).slice(0, MAX_LOOK_UPS)
  const met = options.resolveMentions ? await meet(ctx, strangers) : []
  const forFew = visibility === 'private' || visibility === 'direct'
  const addressed = forFew ? await findKnown(ctx, ourPeople(ctx, [...note.to, ...note.cc])) : new Map<string, string>()
  return [...new Set([...known.values(), ...met, ...addressed.values()])]
}

/** Whether a post is addressed to a local account. */
export async function isAddressedHere(ctx: Context, note: Pick<Note, 'tags' | 'to' | 'cc'>): Promise<boolean> {
  const uris = ourPeople(ctx, [...mentionUris(note), ...note.to, ...note.cc])
  return uris.length > 0 && (await findKnown(ctx, uris)).size > 0
}

const ourPeople = (ctx: Context, uris: readonly string[]): string[] =>
  uris.filter((uri) => parseOurUrl(ctx, uri)?.statusId === null)

/** The accounts among these addresses that are known here: id by address. Profile pages name people too. */
async function findKnown(ctx: Context, uris: readonly string[]): Promise<Map<string, string>> {
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

/** Looks people up, a few at once, until patience ends. Whoever cannot be found in time is left out. */
async function meet(ctx: Context, uris: readonly string[]): Promise<string[]> {
  const met: string[] = []
  const queue = [...uris]
  const end = Date.now() + PATIENCE
  const worker = async (): Promise<void> => {
    for (let uri = queue.shift(); uri !== undefined && Date.now() < end; uri = queue.shift()) {
      const account = await resolveActor(ctx, uri)
      if (account && account.suspended_at === null) met.push(account.id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return met
}
