import type { Context } from '../context.ts'
import { isCurrent } from '../db/coherent-cache.ts'
import type { Accounts } from '../db/schema.ts'
import { nothing, sql } from '../db/sql.ts'
import { type AccountCounts, loadAccountCounts } from '../domain/accounts/account-facts.ts'
import { selectedProfileColumns } from '../domain/accounts/profile-attributes.ts'
import { offersSubscriptions } from '../domain/email-subscriptions/subscriptions.ts'
import { getSettings } from '../domain/server/settings.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonArray, type JsonText } from '../lib/json.ts'
import { type AccountProfileRow, profileMembers } from './account-profile.ts'
import type { Account } from './account.ts'
import { loadEmojis } from './emojis.ts'
import {
  presentCacheable,
  extendPresented,
  type EntityFormat,
  type Presented,
  presentedCaches,
} from './entity-format.ts'

/** `whole` is the last assembled account, which is valid while its `counts` are current. */
type Profile = { presented: Presented; movedTo: string | null; whole?: { counts: AccountCounts; presented: Presented } }

const cache = presentedCaches<Profile>(['account'], 16 * 1024 * 1024)

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

export async function assembleAccounts(
  ctx: Context,
  format: EntityFormat,
  ids: Iterable<string>,
): Promise<Map<string, Presented>> {
  const known = await loadProfiles(ctx, format, ids)
  const assembled = await assemble(ctx, known)
  const targets = [...known.values()].flatMap(({ movedTo }) => movedTo ?? [])
  if (targets.length === 0) return assembled
  // Leaves out the accounts that these moved to in turn.
  const moved = await assemble(ctx, await loadProfiles(ctx, format, targets))
  for (const [id, { movedTo }] of known) {
    const [account, target] = [assembled.get(id), movedTo === null ? undefined : moved.get(movedTo)]
    if (account && target) assembled.set(id, extendPresented(account, { moved: target }))
  }
  return assembled
}

async function assemble(ctx: Context, profiles: ReadonlyMap<string, Profile>): Promise<Map<string, Presented>> {
  const assembled = new Map<string, Presented>()
  const others: string[] = []
  for (const [id, { whole }] of profiles)
    if (whole && isCurrent(whole.counts)) assembled.set(id, whole.presented)
    else others.push(id)
  if (others.length === 0) return assembled
  const counts = await loadAccountCounts(ctx, others)
  for (const id of others) {
    const [profile, current] = [profiles.get(id) as Profile, counts.get(id) as AccountCounts]
    profile.whole = { counts: current, presented: extendPresented(profile.presented, { ...current }) }
    assembled.set(id, profile.whole.presented)
  }
  return assembled
}

/** The cached values that an assembled account was made of; null when it contains another account or has changed. */
export function sourcesOfAccount(
  ctx: Context,
  format: EntityFormat,
  id: string,
  presented: Presented,
): readonly object[] | null {
  const profile = cache(ctx)[format].get(id)
  return profile?.whole?.presented === presented ? [profile, profile.whole.counts] : null
}

function loadProfiles(ctx: Context, format: EntityFormat, ids: Iterable<string>): Promise<Map<string, Profile>> {
  return cache(ctx)[format].load(ctx, ids, async (missing) => {
    const rows = await readProfiles(ctx, missing)
    return rows.map((row) => [
      row.id,
      { presented: presentCacheable(format, profileMembers(ctx, row)), movedTo: row.moved_to_id },
    ])
  })
}

type Row = AccountProfileRow & Pick<Accounts, 'moved_to_id'>

async function readProfiles(ctx: Context, ids: readonly string[]): Promise<Row[]> {
  const [{ email_subscriptions: isOffered }] = await Promise.all([getSettings(ctx), loadEmojis(ctx)])
  const offer = sql`, exists (
    select from users u join roles r on r.id = u.role_id where u.account_id = a.id and ${offersSubscriptions}) as email_subscriptions`
  return ctx.db.many<Row>(sql`
    select a.id, a.username, a.domain, ${selectedProfileColumns}, a.note, a.fields, a.emojis, a.feature_policy, a.uri, a.url, a.avatar_key,
      a.avatar_static_key, a.header_key, a.header_static_key, a.memorial, a.created_at, a.moved_to_id,
      a.suspended_at is not null as suspended, a.silenced_at is not null as silenced,
      coalesce((
        select json_agg(json_build_object('id', r.id::text, 'name', r.name, 'color', r.color))
        from users u join roles r on r.id = u.role_id where u.account_id = a.id and r.highlighted
      ), '[]') as roles ${isOffered ? offer : nothing}
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
