import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { type AccountCounts, loadAccountCounts, loadAccountFacts } from '../domain/accounts/account-facts.ts'
import { selectedProfileColumns } from '../domain/accounts/profile-attributes.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonArray, type JsonText } from '../lib/json.ts'
import { type AccountProfileRow, profileMembers } from './account-profile.ts'
import type { Account } from './account.ts'
import { loadEmojis } from './emojis.ts'
import { cacheablePart, extendPart, type Form, type Part, partCaches } from './parts.ts'

/** `whole` holds the last one that was made: it is right as long as `counts` are the same. */
type Profile = { part: Part; whole?: { counts: AccountCounts; part: Part } }

const profiles = partCaches<Profile>(['account'], 16 * 1024 * 1024)

/** Unknown ids have no entry. No statement when all are cached. */
export async function presentAccountMap(ctx: Context, ids: readonly string[]): Promise<Map<string, JsonText<Account>>> {
  await ctx.changes.catchUpAfterWrites()
  return (await assembleAccounts(ctx, 'json', ids)) as Map<string, JsonText<Account>>
}

export async function readAccountMap(ctx: Context, ids: readonly string[]): Promise<Map<string, Account>> {
  await ctx.changes.catchUpAfterWrites()
  return (await assembleAccounts(ctx, 'value', ids)) as Map<string, Account>
}

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

export async function assembleAccounts(ctx: Context, form: Form, ids: Iterable<string>): Promise<Map<string, Part>> {
  const facts = await loadAccountFacts(ctx, ids)
  const targets = [...facts.values()].flatMap(({ moved_to_id }) => moved_to_id ?? [])
  if (targets.length === 0) return assemble(ctx, form, facts.keys())
  // Leaves out the accounts that these moved to in turn.
  const [assembled, moved] = await Promise.all([assemble(ctx, form, facts.keys()), assemble(ctx, form, targets)])
  for (const { id, moved_to_id } of facts.values()) {
    const [account, target] = [assembled.get(id), moved_to_id === null ? undefined : moved.get(moved_to_id)]
    if (account && target) assembled.set(id, extendPart(account, { moved: target }))
  }
  return assembled
}

async function assemble(ctx: Context, form: Form, ids: Iterable<string>): Promise<Map<string, Part>> {
  const wanted = [...ids]
  const [known, counts] = await Promise.all([loadProfiles(ctx, form, wanted), loadAccountCounts(ctx, wanted)])
  const assembled = new Map<string, Part>()
  for (const [id, profile] of known) {
    const current = counts.get(id) as AccountCounts
    if (profile.whole?.counts !== current)
      profile.whole = { counts: current, part: extendPart(profile.part, { ...current }) }
    assembled.set(id, profile.whole.part)
  }
  return assembled
}

function loadProfiles(ctx: Context, form: Form, ids: readonly string[]): Promise<Map<string, Profile>> {
  return profiles(ctx)[form].load(ctx, ids, async (missing) => {
    const rows = await readProfiles(ctx, missing)
    return rows.map((row) => [row.id, { part: cacheablePart(form, profileMembers(ctx, row)) }])
  })
}

async function readProfiles(ctx: Context, ids: readonly string[]): Promise<AccountProfileRow[]> {
  await loadEmojis(ctx)
  return ctx.db.many<AccountProfileRow>(sql`
    select a.id, a.username, a.domain, ${selectedProfileColumns}, a.note, a.fields, a.emojis, a.uri, a.url, a.avatar_key,
      a.avatar_static_key, a.header_key, a.header_static_key, a.memorial, a.created_at,
      a.suspended_at is not null as suspended, a.silenced_at is not null as silenced,
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
