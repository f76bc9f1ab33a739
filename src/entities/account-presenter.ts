import type { Context } from '../context.ts'
import type { Accounts, AccountStats } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { selectedProfileColumns } from '../domain/accounts/profile-attributes.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonArray, type JsonText } from '../lib/json.ts'
import { type AccountProfileRow, profileMembers } from './account-profile.ts'
import type { Account } from './account.ts'
import { loadEmojis } from './emojis.ts'
import { cacheablePart, extendPart, type Form, type Part, partCache } from './parts.ts'

/** Members of an account that change without its row. `version`: of the row. */
export type AccountFacts = Pick<Accounts, 'id' | 'moved_to_id'> &
  Pick<AccountStats, 'statuses_count' | 'followers_count' | 'following_count' | 'last_status_at'> & { version: string }

/** For queries with accounts as `a` and account_stats, left joined, as `ast`. */
export const accountFacts = sql`a.id, a.xmin::text as version, a.moved_to_id,
  coalesce(ast.statuses_count, 0) as statuses_count, coalesce(ast.followers_count, 0) as followers_count,
  coalesce(ast.following_count, 0) as following_count, ast.last_status_at`

const profiles = partCache<{ version: string; part: Part }>({ max: 20_000, maxBytes: 64 * 1024 * 1024 })

/** One statement, or two when profiles are not cached. Unknown ids have no entry. */
export async function presentAccountMap(ctx: Context, ids: readonly string[]): Promise<Map<string, JsonText<Account>>> {
  return (await presentAs(ctx, 'json', ids)) as Map<string, JsonText<Account>>
}

export async function readAccountMap(ctx: Context, ids: readonly string[]): Promise<Map<string, Account>> {
  return (await presentAs(ctx, 'value', ids)) as Map<string, Account>
}

async function presentAs(ctx: Context, form: Form, ids: readonly string[]): Promise<Map<string, Part>> {
  return ids.length === 0 ? new Map() : assembleAccounts(ctx, form, await readAccountFacts(ctx, ids))
}

const readAccountFacts = (ctx: Context, ids: readonly string[]): Promise<AccountFacts[]> =>
  ctx.db.many<AccountFacts>(sql`
    select ${accountFacts} from accounts a left join account_stats ast on ast.account_id = a.id
    where a.id = any(${[...new Set(ids)]}::bigint[])`)

/** Keeps the order of `ids`; leaves out unknown ones. */
export async function presentAccounts(ctx: Context, ids: readonly string[]): Promise<JsonText<Account>[]> {
  const presented = await presentAccountMap(ctx, ids)
  return ids.flatMap((id) => presented.get(id) ?? [])
}

export async function presentAccountList(ctx: Context, ids: readonly string[]): Promise<JsonText<Account[]>> {
  return jsonArray(await presentAccounts(ctx, ids))
}

/** Throws NotFound. */
export async function presentAccount(ctx: Context, id: string): Promise<JsonText<Account>> {
  const [account] = await presentAccounts(ctx, [id])
  if (!account) throw new NotFound()
  return account
}

/** For accounts whose facts a query has read already. */
export async function assembleAccounts(
  ctx: Context,
  form: Form,
  facts: readonly AccountFacts[],
): Promise<Map<string, Part>> {
  const movedIds = facts.flatMap(({ moved_to_id }) => moved_to_id ?? [])
  const moved = movedIds.length > 0 ? await presentMoved(ctx, form, movedIds) : null
  await loadProfiles(ctx, form, facts)
  const assembled = new Map<string, Part>()
  for (const fact of facts) {
    // Many statuses of a page may have one author.
    if (assembled.has(fact.id)) continue
    const target = fact.moved_to_id === null ? undefined : moved?.get(fact.moved_to_id)
    assembled.set(fact.id, assemble(ctx, form, fact, target))
  }
  return assembled
}

/** Leaves out the accounts that these moved to in turn. */
async function presentMoved(ctx: Context, form: Form, ids: string[]): Promise<Map<string, Part>> {
  const facts = await readAccountFacts(ctx, ids)
  await loadProfiles(ctx, form, facts)
  return new Map(facts.map((fact) => [fact.id, assemble(ctx, form, fact)]))
}

function assemble(ctx: Context, form: Form, fact: AccountFacts, moved?: Part): Part {
  const profile = profiles(ctx)[form].get(fact.id)
  if (!profile) throw new Error(`the profile of account ${fact.id} was not loaded`)
  const { statuses_count, followers_count, following_count, last_status_at } = fact
  const counts = { statuses_count, followers_count, following_count, last_status_at }
  return extendPart(profile.part, moved ? { ...counts, moved } : counts)
}

async function loadProfiles(ctx: Context, form: Form, facts: readonly AccountFacts[]): Promise<void> {
  const cache = profiles(ctx)[form]
  const missing = [
    ...new Set(facts.filter(({ id, version }) => cache.get(id)?.version !== version).map(({ id }) => id)),
  ]
  if (missing.length === 0) return
  const rows = await readProfiles(ctx, missing)
  for (const row of rows)
    cache.set(row.id, { version: row.version, part: cacheablePart(form, profileMembers(ctx, row)) })
}

async function readProfiles(ctx: Context, ids: readonly string[]): Promise<AccountProfileRow[]> {
  await loadEmojis(ctx)
  return ctx.db.many<AccountProfileRow>(sql`
    select a.id, a.username, a.domain, ${selectedProfileColumns}, a.note, a.fields, a.emojis, a.uri, a.url, a.avatar_key,
      a.avatar_static_key, a.header_key, a.header_static_key, a.memorial, a.created_at,
      a.xmin::text as version, a.suspended_at is not null as suspended, a.silenced_at is not null as silenced,
      coalesce((
        select json_agg(json_build_object('id', r.id::text, 'name', r.name, 'color', r.color))
        from users u join roles r on r.id = u.role_id where u.account_id = a.id and r.highlighted
      ), '[]') as roles
    from accounts a where a.id = any(${ids}::bigint[])`)
}

/** Keeps the order of `ids`; leaves out unknown ones. */
export async function readAccountEntities(ctx: Context, ids: readonly string[]): Promise<Account[]> {
  const entities = await readAccountMap(ctx, ids)
  return ids.flatMap((id) => entities.get(id) ?? [])
}

/** Throws NotFound. */
export async function readAccountEntity(ctx: Context, id: string): Promise<Account> {
  const [account] = await readAccountEntities(ctx, [id])
  if (!account) throw new NotFound()
  return account
}
