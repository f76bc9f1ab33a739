import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { lockAgainstDeletion } from '../accounts/find.ts'
import { fromMentioned, mentionedColumns, type MentionedRow, type MentionHandle } from '../accounts/mentions.ts'
import { hasBlocked, hasBlockedDomain } from '../relationships/hidden.ts'
import { parseLocalUrl } from '../server/addresses.ts'
import { hasJoined } from '../users/states.ts'
import type { StatusBody } from './draft.ts'

/** `blocked`: the author of the text blocks the account or its domain. */
export type MentionedAccount = MentionedRow & { blocked: boolean }

/** As `fromMentioned`, in the order of `mentions`. `authorId`: null for the texts of the server. */
export function findMentioned(
  ctx: Context,
  mentions: readonly MentionHandle[],
  authorId: string | null,
): Promise<MentionedAccount[]> {
  const author = sql`${authorId}::bigint`
  return ctx.db.many<MentionedAccount>(sql`
    select ${mentionedColumns}, (${hasBlocked(author, sql`a.id`)} or ${hasBlockedDomain(author, sql`a.domain`)}) as blocked
    ${fromMentioned(mentions)} order by w.place`)
}

export const mentionUris = (note: Pick<Note, 'tags'>): string[] => [
  ...new Set(note.tags.flatMap(({ type, href }) => (type === 'Mention' && href !== null ? [href] : []))),
]

type Addressed = Pick<Note, 'tags' | 'to' | 'cc' | 'hiddenRecipients'>

export async function isAddressedHere(ctx: Context, note: Addressed): Promise<boolean> {
  const uris = localAddresses(ctx, [...mentionUris(note), ...note.to, ...note.cc, ...note.hiddenRecipients])
  return uris.length > 0 && (await findAccountsByAddress(ctx, uris)).size > 0
}

export const localAddresses = (ctx: Context, uris: readonly string[]): string[] =>
  uris.filter((uri) => parseLocalUrl(ctx, uri)?.statusId === null)

/** Finds accounts by ActivityPub id or profile page. Unknown accounts are missing. */
export async function findAccountsByAddress(ctx: Context, uris: readonly string[]): Promise<Map<string, string>> {
  if (uris.length === 0) return new Map()
  const nameIn = (uri: string): string | undefined => {
    const local = parseLocalUrl(ctx, uri)
    return local?.statusId === null ? local.username.toLowerCase() : undefined
  }
  const names = new Map(uris.flatMap((uri) => nameIn(uri) ?? []).map((name) => [name, '']))
  const [local, remote] = await Promise.all([
    ctx.db.many<{ name: string; id: string }>(sql`
      select lower(a.username) as name, a.id from accounts a join users u on u.account_id = a.id and ${hasJoined}
      where lower(a.username) = any(${[...names.keys()]}::text[]) and coalesce(a.domain, '') = '' and a.suspended_at is null`),
    ctx.db.many<{ uri: string; url: string | null; id: string }>(sql`
      select uri, url, id from accounts where uri = any(${uris}::text[]) and suspended_at is null
      union select uri, url, id from accounts where url = any(${uris}::text[]) and suspended_at is null`),
  ])
  for (const { name, id } of local) names.set(name, id)
  const found = new Map<string, string>()
  for (const uri of uris) {
    const localName = nameIn(uri)
    const match = remote.find((row) => row.uri === uri) ?? remote.find((row) => row.url === uri)
    const id = localName === undefined ? match?.id : names.get(localName)
    if (id) found.set(uri, id)
  }
  return found
}

/** Those that are left out lose the mention, apart from hidden ones, which an edit does not name again. */
export async function replaceMentions(
  tx: Context,
  { id: statusId, local }: Pick<Statuses, 'id' | 'local'>,
  { mentionIds: ids, hiddenMentionIds: hiddenIds = [] }: Pick<StatusBody, 'mentionIds' | 'hiddenMentionIds'>,
): Promise<{ mentioned: string[]; unmentioned: string[] }> {
  if (ids === undefined) return { mentioned: [], unmentioned: [] }
  const gone = await tx.db.many<{ account_id: string }>(sql`
    with gone as (
      delete from mentions where status_id = ${statusId} and account_id <> all(${ids}::bigint[]) and not hidden returning status_id, account_id
    ), former as (
      insert into former_mentions (status_id, account_id) select status_id, account_id from gone where ${local} on conflict do nothing
    )
    select account_id from gone`)
  const mentioned = await insertMentions(tx, statusId, ids, hiddenIds)
  return { mentioned, unmentioned: gone.map((row) => row.account_id) }
}

/** `ids`: in the order of the text. Returns the accounts that were not mentioned before. */
async function insertMentions(
  tx: Context,
  statusId: string,
  ids: readonly string[],
  hiddenIds: readonly string[] = [],
): Promise<string[]> {
  const added = await tx.db.many<{ account_id: string }>(sql`
    with mentionable as (${lockAgainstDeletion(ids)}), placed as (
      insert into mentions (status_id, account_id, hidden, place)
      select ${statusId}, id, id = any(${hiddenIds}::bigint[]), place::smallint
      from unnest(${ids}::bigint[]) with ordinality m (id, place) join mentionable using (id)
      on conflict (status_id, account_id) do update set place = excluded.place where mentions.place <> excluded.place
      returning status_id, account_id, xmax = 0 as inserted
    ), added as (select status_id, account_id from placed where inserted), former as (
      delete from former_mentions f using added where f.status_id = added.status_id and f.account_id = added.account_id
    )
    select account_id from added`)
  return added.map((row) => row.account_id)
}

/**
 * Mentions more accounts in a local status, without a revision. Null when its text is another one by now. Returns the accounts
 * that were not mentioned before.
 */
export async function addMentions(
  tx: Context,
  statusId: string,
  text: string,
  { content, mentionIds }: { content: string; mentionIds: readonly string[] },
): Promise<string[] | null> {
  const locked = await tx.db.maybe(
    sql`select from statuses where id = ${statusId} and text = ${text} for no key update`,
  )
  if (!locked) return null
  const added = await insertMentions(tx, statusId, mentionIds)
  if (added.length > 0) await tx.db.run(sql`update statuses set content = ${content} where id = ${statusId}`)
  return added
}

/** Mentions more accounts in a remote status. Null when it is gone. Returns the accounts that were not mentioned before. */
export async function addRemoteMentions(
  tx: Context,
  statusId: string,
  ids: readonly string[],
): Promise<string[] | null> {
  const locked = await tx.db.maybe(sql`select from statuses where id = ${statusId} and not local for no key update`)
  if (!locked) return null
  const added = await insertMentions(tx, statusId, ids)
  // A new version of its row invalidates the cached JSON of a status.
  if (added.length > 0) await tx.db.run(sql`update statuses set fetched_at = now() where id = ${statusId}`)
  return added
}
