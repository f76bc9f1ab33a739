import { covers } from '../domain/auth/scopes.ts'

export type ScopeText = { title: string; detail: string; caution: boolean }

const NOUNS: Record<string, string> = {
  accounts: 'accounts and profiles',
  blocks: 'blocks',
  bookmarks: 'bookmarks',
  collections: 'collections',
  conversations: 'conversations',
  favourites: 'favourites',
  filters: 'filters',
  follows: 'follows',
  lists: 'lists',
  media: 'pictures and other media',
  mutes: 'mutes',
  notifications: 'notifications',
  reports: 'reports',
  search: 'searches',
  statuses: 'posts',
  domain_allows: 'allowed domains',
  domain_blocks: 'blocked domains',
  ip_blocks: 'blocked addresses',
  email_domain_blocks: 'blocked mail providers',
  canonical_email_blocks: 'blocked mail addresses',
}

const WHOLE: Record<string, ScopeText> = {
  profile: { title: 'Know who you are', detail: 'See your name, handle and picture, nothing else.', caution: false },
  read: {
    title: 'Read everything',
    detail: 'See what you see: posts, private messages, notifications, lists, bookmarks and settings.',
    caution: false,
  },
  write: {
    title: 'Act in your name',
    detail: 'Post, reply, follow, favourite, change your profile and delete what you posted.',
    caution: false,
  },
  follow: {
    title: 'Manage your relationships',
    detail: 'See and change whom you follow, mute and block.',
    caution: false,
  },
  push: {
    title: 'Send you push notifications',
    detail: 'Learn of your notifications at once, even when it is not running.',
    caution: false,
  },
  crypto: {
    title: 'Use end-to-end encryption',
    detail: 'Keep a device of its own for encrypted messages.',
    caution: false,
  },
  'admin:read': {
    title: 'See everything about this server’s people',
    detail: 'Read all that moderators and administrators can see, e-mail addresses included.',
    caution: true,
  },
  'admin:write': {
    title: 'Moderate and administer this server',
    detail: 'Suspend accounts, decide reports, change rules and settings.',
    caution: true,
  },
}

/** What an application asks for, in words, the widest first. What something else on the list covers is left out. */
export function scopeTexts(scopes: readonly string[]): ScopeText[] {
  const needed = scopes.filter((scope) => {
    const others = scopes.filter((other) => other !== scope)
    return !covers(others, scope)
  })
  const whole = Object.keys(WHOLE).filter((scope) => needed.includes(scope))
  return [...whole, ...needed.filter((scope) => !(scope in WHOLE))].map(textOf)
}

function textOf(scope: string): ScopeText {
  const whole = WHOLE[scope]
  if (whole) return whole
  const parts = scope.split(':')
  const noun = NOUNS[parts.at(-1) ?? ''] ?? scope
  const writes = parts.at(-2) === 'write'
  if (parts[0] === 'admin')
    return {
      title: `${writes ? 'Moderate' : 'See as a moderator'}: ${noun}`,
      detail: writes ? 'Make decisions about them for the whole server.' : 'Read what only moderators see of them.',
      caution: true,
    }
  return writes
    ? { title: `Change your ${noun}`, detail: 'Add, change and remove them in your name.', caution: false }
    : { title: `See your ${noun}`, detail: 'Read only.', caution: false }
}
