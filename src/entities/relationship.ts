import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { activeMutesOf, hasBlocked, hasBlockedDomain } from '../domain/relationships/hidden.ts'
import type { MuteEntry } from '../domain/relationships/lists.ts'
import { SUGGESTION_SOURCES, type SuggestionRow, type SuggestionSource } from '../domain/relationships/suggestions.ts'
import { NotFound } from '../lib/errors.ts'
import { extendJson, jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account, accountMembers } from './account.ts'
import { DateTime, Id, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Relationship/ */
export const Relationship = Type.Object(
  {
    id: Id,
    following: Type.Boolean(),
    showing_reblogs: Type.Boolean(),
    notifying: Type.Boolean(),
    languages: nullable(Type.Array(Type.String())),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    blocked_by: Type.Boolean(),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: nullable(DateTime),
    requested: Type.Boolean(),
    requested_by: Type.Boolean(),
    domain_blocking: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String(),
  },
  { $id: 'Relationship' },
)
export type Relationship = Static<typeof Relationship>

type Row = Omit<Relationship, 'muting_expires_at'> & { muting_expires_at: Date | null }

/** One statement. Keeps the order of `ids`; leaves out unknown ones. */
export async function presentRelationships(
  ctx: Context,
  viewer: { accountId: string },
  ids: readonly string[],
): Promise<Relationship[]> {
  if (ids.length === 0) return []
  const me = viewer.accountId
  const rows = await ctx.db.many<Row>(sql`
    select a.id, f.id is not null as following, coalesce(f.show_reblogs, r.show_reblogs, false) as showing_reblogs,
      coalesce(f.notify, r.notify, false) as notifying, coalesce(f.languages, r.languages) as languages,
      exists (select from follows x where x.account_id = a.id and x.target_account_id = ${me}) as followed_by,
      ${hasBlocked(me, sql`a.id`)} as blocking,
      ${hasBlocked(sql`a.id`, me)} as blocked_by,
      m.id is not null as muting, coalesce(m.hide_notifications, false) as muting_notifications, m.expires_at as muting_expires_at,
      r.id is not null as requested,
      exists (select from follow_requests x where x.account_id = a.id and x.target_account_id = ${me}) as requested_by,
      ${hasBlockedDomain(me, sql`a.domain`)} as domain_blocking,
      exists (select from endorsements x where x.account_id = ${me} and x.target_account_id = a.id) as endorsed, coalesce(n.comment, '') as note
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position)
    join accounts a on a.id = wanted.id
    left join follows f on f.account_id = ${me} and f.target_account_id = a.id
    left join follow_requests r on r.account_id = ${me} and r.target_account_id = a.id
    left join (${activeMutesOf(me)}) m on m.target_account_id = a.id
    left join account_notes n on n.account_id = ${me} and n.target_account_id = a.id
    order by wanted.position`)
  return rows.map((row) => ({ ...row, muting_expires_at: row.muting_expires_at?.toISOString() ?? null }))
}

/** Throws NotFound. */
export async function presentRelationship(
  ctx: Context,
  viewer: { accountId: string },
  id: string,
): Promise<Relationship> {
  const [relationship] = await presentRelationships(ctx, viewer, [id])
  if (!relationship) throw new NotFound()
  return relationship
}

/** https://docs.joinmastodon.org/entities/FamiliarFollowers/ */
export const FamiliarFollowers = Type.Object({ id: Id, accounts: Type.Array(Account) }, { $id: 'FamiliarFollowers' })
export type FamiliarFollowers = Static<typeof FamiliarFollowers>

export async function presentFamiliarFollowers(
  ctx: Context,
  familiar: ReadonlyMap<string, readonly string[]>,
): Promise<JsonText<FamiliarFollowers[]>> {
  const accounts = await presentAccountMap(ctx, [...familiar.values()].flat())
  const entries = [...familiar].map(([id, followers]) =>
    jsonObject<FamiliarFollowers>({
      id,
      accounts: jsonArray(followers.flatMap((follower) => accounts.get(follower) ?? [])),
    }),
  )
  return jsonArray(entries)
}

/** https://docs.joinmastodon.org/entities/Account/#MutedAccount */
export const MutedAccount = Type.Object(
  { ...accountMembers, mute_expires_at: nullable(DateTime) },
  { $id: 'MutedAccount' },
)
export type MutedAccount = Static<typeof MutedAccount>

export async function presentMutedAccounts(
  ctx: Context,
  mutes: readonly MuteEntry[],
): Promise<JsonText<MutedAccount[]>> {
  const accounts = await presentAccountMap(
    ctx,
    mutes.map((mute) => mute.account_id),
  )
  return jsonArray(
    mutes.flatMap((mute) => {
      const account = accounts.get(mute.account_id)
      if (!account) return []
      return [extendJson(account, { mute_expires_at: mute.expires_at?.toISOString() ?? null })]
    }),
  )
}

/** https://docs.joinmastodon.org/entities/Suggestion/ */
export const Suggestion = Type.Object(
  {
    source: Type.Enum(['staff', 'past_interactions', 'global']),
    sources: Type.Array(Type.Enum([...SUGGESTION_SOURCES])),
    account: Account,
  },
  { $id: 'Suggestion' },
)
export type Suggestion = Static<typeof Suggestion>

const OLD_SOURCES: Record<SuggestionSource, Suggestion['source']> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_followed: 'global',
}

export async function presentSuggestions(
  ctx: Context,
  rows: readonly SuggestionRow[],
): Promise<JsonText<Suggestion[]>> {
  const accounts = await presentAccountMap(
    ctx,
    rows.map(({ account_id }) => account_id),
  )
  return jsonArray(
    rows.flatMap(({ account_id, sources }) => {
      const account = accounts.get(account_id)
      const [strongest] = sources
      if (!account || !strongest) return []
      return [jsonObject<Suggestion>({ source: OLD_SOURCES[strongest], sources, account })]
    }),
  )
}
