import type { Context } from '../context.ts'
import { findLocal, type AccountRow } from '../domain/accounts/find.ts'
import type { AccountStatusesFilter } from '../domain/statuses/account-statuses.ts'
import type { Accounts } from '../db/schema.ts'
import { Gone, NotFound } from '../lib/errors.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { message } from '../messages/message.ts'
import type { Texts } from '../messages/pages.ts'

/** A choice of an account's posts. `path` is below the address of the profile. */
export type ProfileView = { path: string; label: (t: Texts) => string; filter: AccountStatusesFilter }

export const TABS = [
  { path: '', key: 'posts', filter: { excludeReplies: true } },
  { path: '/with_replies', key: 'with_replies', filter: { excludeReblogs: true } },
  { path: '/media', key: 'media', filter: { onlyMedia: true } },
] as const

/** The views that have a page and an RSS feed, by their route below the profile. */
export const VIEWS: readonly { route: string; viewOf: (params: { tag?: string }) => ProfileView }[] = [
  ...TABS.map(({ path, key, filter }) => ({
    route: path,
    viewOf: () => ({ path, label: (t: Texts) => t.profile[key], filter }),
  })),
  { route: '/tagged/:tag', viewOf: ({ tag }) => taggedView(tag) },
]

function taggedView(typed = ''): ProfileView {
  const tag = normaliseTag(typed)
  if (tag === '') throw new NotFound()
  return {
    path: `/tagged/${encodeURIComponent(tag)}`,
    label: (t) => t.profile.tagged({ tag: `#${tag}` }),
    filter: { tagged: tag, excludeReblogs: true },
  }
}

/** Throws Gone for a suspended account. While the suspension can be undone, the page does not say that it was removed. */
export function refuseSuspended({ suspended_at: suspendedAt, purged_at: purgedAt }: Suspension): void {
  if (suspendedAt === null) return
  throw new Gone(purgedAt === null ? message('account_suspended') : undefined)
}

/** Throws NotFound unless the account is local, and as `refuseSuspended`. */
export async function getPublicAccount(ctx: Context, username: string): Promise<AccountRow> {
  const account = await findLocal(ctx, username)
  if (!account) throw new NotFound()
  refuseSuspended(account)
  return account
}

type Suspension = Pick<Accounts, 'suspended_at' | 'purged_at'>
