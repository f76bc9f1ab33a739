import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { concatJson, jsonArray, openJson, type JsonText } from '../lib/json.ts'
import { NotFound } from '../lib/errors.ts'
import type { Account } from './account.ts'
import { profileMembers, type ProfileRow } from './account-profile.ts'
import { loadEmojis } from './emojis.ts'

/** What changes without the account's row: from whichever query came by it. `version` names the row that is presented. */
export type AccountFacts = {
  id: string
  version: string
  statuses_count: number
  followers_count: number
  following_count: number
  last_status_at: string | null
  moved_to_id: string | null
}

/** The columns of AccountFacts, for queries that have accounts as `a` and account_stats, left joined, as `ast`. */
export const accountFacts = sql`a.id, a.xmin::text as version, a.moved_to_id,
  coalesce(ast.statuses_count, 0) as statuses_count, coalesce(ast.followers_count, 0) as followers_count,
  coalesce(ast.following_count, 0) as following_count, ast.last_status_at`

/** Ready profiles, without the closing brace. Valid for exactly the row version that made them. */
const profiles = perServer((ctx) => {
  const cache = new LRUCache<string, { version: string; json: Buffer }>({
    max: 20_000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ json }) => json.length + 100,
  })
  ctx.subscribe((message) => {
    if (message.type === 'settings.changed') cache.clear()
  })
  return cache
})

/** Presents accounts by id, in one read (two when profiles are not cached). Unknown ids have no entry. */
export async function presentAccountMap(ctx: Context, ids: readonly string[]): Promise<Map<string, JsonText<Account>>> {
  if (ids.length === 0) return new Map()
  const facts = await ctx.db.many<AccountFacts>(sql`
    select ${accountFacts} from accounts a left join account_stats ast on ast.account_id = a.id
    where a.id = any(${[...new Set(ids)]}::bigint[])`)
  return assembleAccounts(ctx, facts)
}

/** Presents accounts in the order of `ids`; unknown ones are left out. */
export async function presentAccounts(ctx: Context, ids: readonly string[]): Promise<JsonText<Account>[]> {
  const presented = await presentAccountMap(ctx, ids)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

/** A JSON array of accounts. */
export async function presentAccountList(ctx: Context, ids: readonly string[]): Promise<JsonText<Account[]>> {
  return jsonArray(await presentAccounts(ctx, ids))
}

/** Presents one account. Throws NotFound. */
export async function presentAccount(ctx: Context, id: string): Promise<JsonText<Account>> {
  const [account] = await presentAccounts(ctx, [id])
  if (!account) throw new NotFound()
  return account
}

/** Puts accounts together from facts that a query has read already. */
export async function assembleAccounts(
  ctx: Context,
  facts: readonly AccountFacts[],
): Promise<Map<string, JsonText<Account>>> {
  const movedIds = facts.flatMap(({ moved_to_id }) => moved_to_id ?? [])
  const moved = movedIds.length > 0 ? await presentMoved(ctx, movedIds) : null
  await loadProfiles(ctx, facts)
  const assembled = new Map<string, JsonText<Account>>()
  for (const fact of facts) {
    // Many posts of a page may have one author.
    if (assembled.has(fact.id)) continue
    assembled.set(fact.id, assemble(ctx, fact, fact.moved_to_id === null ? undefined : moved?.get(fact.moved_to_id)))
  }
  return assembled
}

/** The accounts that others moved to; where those moved on is left out. */
async function presentMoved(ctx: Context, ids: string[]): Promise<Map<string, JsonText<Account>>> {
  const facts = await ctx.db.many<AccountFacts>(sql`
    select ${accountFacts} from accounts a left join account_stats ast on ast.account_id = a.id where a.id = any(${ids}::bigint[])`)
  await loadProfiles(ctx, facts)
  return new Map(facts.map((fact) => [fact.id, assemble(ctx, fact)]))
}

function assemble(ctx: Context, fact: AccountFacts, moved?: Buffer): JsonText<Account> {
  const profile = profiles(ctx).get(fact.id)
  if (!profile) throw new Error(`the profile of account ${fact.id} was not loaded`)
  const counts = `,"statuses_count":${fact.statuses_count},"followers_count":${fact.followers_count},"following_count":${fact.following_count},"last_status_at":${fact.last_status_at === null ? 'null' : `"${fact.last_status_at}"`}`
  return moved ? concatJson([profile.json, counts, ',"moved":', moved, '}']) : concatJson([profile.json, counts, '}'])
}

async function loadProfiles(ctx: Context, facts: readonly AccountFacts[]): Promise<void> {
  const cache = profiles(ctx)
  const missing = [
    ...new Set(facts.filter(({ id, version }) => cache.get(id)?.version !== version).map(({ id }) => id)),
  ]
  if (missing.length === 0) return
  const rows = await readProfiles(ctx, missing)
  for (const row of rows) cache.set(row.id, { version: row.version, json: openJson(profileMembers(ctx, row)) })
}

async function readProfiles(ctx: Context, ids: readonly string[]): Promise<ProfileRow[]> {
  await loadEmojis(ctx)
  return ctx.db.many<ProfileRow>(sql`
    select a.id, a.username, a.domain, a.display_name, a.note, a.fields, a.emojis, a.actor_type, a.uri, a.url, a.avatar_key,
      a.avatar_static_key, a.avatar_description, a.header_key, a.header_static_key, a.header_description, a.locked, a.discoverable,
      a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured, a.memorial, a.created_at,
      a.xmin::text as version, a.suspended_at is not null as suspended, a.silenced_at is not null as silenced,
      coalesce((
        select json_agg(json_build_object('id', r.id::text, 'name', r.name, 'color', r.color))
        from users u join roles r on r.id = u.role_id where u.account_id = a.id and r.highlighted
      ), '[]') as roles
    from accounts a where a.id = any(${ids}::bigint[])`)
}

/** Accounts as values, for pages, in the order of `ids`; unknown ones are left out. */
export async function readAccountEntities(ctx: Context, ids: readonly string[]): Promise<Account[]> {
  const entities = await readEntities(ctx, ids)
  const moved = await readEntities(
    ctx,
    [...entities.values()].flatMap(({ movedToId }) => movedToId ?? []),
  )
  return ids.flatMap((id) => {
    const found = entities.get(id)
    const target = moved.get(found?.movedToId ?? '')
    return found ? { ...found.account, ...(target ? { moved: target.account } : {}) } : []
  })
}

/** One account as a value, for pages. Throws NotFound. */
export async function readAccountEntity(ctx: Context, id: string): Promise<Account> {
  const [account] = await readAccountEntities(ctx, [id])
  if (!account) throw new NotFound()
  return account
}

type Entity = { account: Account; movedToId: string | null }

async function readEntities(ctx: Context, ids: readonly string[]): Promise<Map<string, Entity>> {
  if (ids.length === 0) return new Map()
  const facts = await ctx.db.many<AccountFacts>(sql`
    select ${accountFacts} from accounts a left join account_stats ast on ast.account_id = a.id
    where a.id = any(${[...new Set(ids)]}::bigint[])`)
  const rows = await readProfiles(ctx, [...new Set(ids)])
  const profileOf = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    facts.flatMap(({ id, version: _version, moved_to_id: movedToId, ...counts }) => {
      const profile = profileOf.get(id)
      if (!profile) return []
      return [[id, { account: { ...profileMembers(ctx, profile), ...counts } as Account, movedToId }]] as const
    }),
  )
}
