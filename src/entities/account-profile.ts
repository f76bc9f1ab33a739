import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import type { Accounts } from '../db/schema.ts'
import { attributesOf, blankProfile, type ProfileColumn } from '../domain/accounts/profile-attributes.ts'
import { accountUri, accountUrl, standardImageUrl } from '../domain/server/addresses.ts'
import { approvalUnder, localFeaturePolicy, packPolicy, unpackPolicy } from '../lib/approval-policy.ts'
import { isoDay } from '../lib/dates.ts'
import type { FeatureApproval } from './account.ts'
import { emojisIn, type RemoteEmoji } from './emojis.ts'

type ProfileColumns =
  | ProfileColumn
  | 'id'
  | 'username'
  | 'domain'
  | 'note'
  | 'uri'
  | 'url'
  | 'avatar_key'
  | 'avatar_static_key'
  | 'header_key'
  | 'header_static_key'
  | 'memorial'
  | 'created_at'
  | 'feature_policy'

export type AccountProfileRow = Pick<Accounts, ProfileColumns> & {
  fields: { name: string; value: string; html: string; verified_at: string | null }[]
  emojis: RemoteEmoji[]
  suspended: boolean
  silenced: boolean
  roles: { id: string; name: string; color: string }[]
  /** Whether its posts can be received by mail; absent while the server does not offer that. */
  email_subscriptions?: boolean
}

/** `user@domain`, or `user` for local accounts. */
export const acctOf = (row: { username: string; domain: string | null }): string =>
  row.domain === null ? row.username : `${row.username}@${row.domain}`

/** Midnight of the day in UTC, as the API hides the exact time of sign-up. */
const midnightOf = (date: Date): string => `${isoDay(date)}T00:00:00.000Z`

/** Only members that change with the account's row. Suspended accounts are blank. */
export function profileMembers(ctx: Context, row: AccountProfileRow): Record<string, unknown> {
  const shown = row.suspended ? { ...row, ...blankProfile } : row
  const imageUrl = (key: string | null, otherwise: 'avatar' | 'header'): string =>
    key === null ? standardImageUrl(ctx, otherwise) : ctx.files.url(key)
  return {
    id: row.id,
    username: row.username,
    acct: acctOf(row),
    url: row.domain === null ? accountUrl(ctx, row.username) : (row.url ?? row.uri),
    uri: row.domain === null ? accountUri(ctx, row.username) : row.uri,
    ...attributesOf(shown, 'account'),
    note: shown.note,
    avatar: imageUrl(shown.avatar_key, 'avatar'),
    avatar_static: imageUrl(shown.avatar_static_key ?? shown.avatar_key, 'avatar'),
    header: imageUrl(shown.header_key, 'header'),
    header_static: imageUrl(shown.header_static_key ?? shown.header_key, 'header'),
    fields: shown.fields.map(({ name, html, verified_at }) => ({ name, value: html, verified_at })),
    emojis: emojisIn(ctx, shown.emojis, row.domain, [
      shown.display_name,
      shown.note,
      ...shown.fields.flatMap(({ name, value }) => [name, value]),
    ]),
    group: row.actor_type === 'Group',
    ...(row.domain === null ? { noindex: !shown.indexable } : {}),
    ...(row.memorial ? { memorial: true } : {}),
    ...(row.suspended ? { suspended: true } : {}),
    ...(row.silenced ? { limited: true } : {}),
    created_at: midnightOf(row.created_at),
    ...(row.domain === null ? { roles: row.suspended ? [] : row.roles } : {}),
    feature_approval: featureApproval(shown),
    ...(row.domain === null && row.email_subscriptions !== undefined
      ? { email_subscriptions: row.email_subscriptions }
      : {}),
  }
}

/** Ignores blocks and follows, as the profile is cached for all viewers. */
function featureApproval(row: AccountProfileRow): Static<typeof FeatureApproval> {
  const { domain, suspended } = row
  if (suspended) return { automatic: [], manual: [], current_user: 'denied' }
  const policy = domain === null ? localFeaturePolicy(row) : row.feature_policy
  const approval = approvalUnder(policy, {})
  return { ...unpackPolicy(policy), current_user: approval === 'denied' ? denialUnder(policy, domain) : approval }
}

function denialUnder(policy: number, domain: string | null): 'missing' | 'unknown' | 'denied' {
  if (policy === 0) return domain === null ? 'denied' : 'missing'
  return [packPolicy(['public']), packPolicy([], ['public'])].includes(policy) ? 'denied' : 'unknown'
}
