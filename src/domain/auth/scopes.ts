/** The scopes without a noun, the widest first. The others give a part of `read`, `write` or their forms for staff. */
export const WIDE_SCOPES = [
  'profile',
  'read',
  'write',
  'follow',
  'push',
  'crypto',
  'admin:read',
  'admin:write',
] as const
const READ = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'favourites',
  'filters',
  'follows',
  'lists',
  'mutes',
  'notifications',
  'search',
  'statuses',
] as const
const WRITE = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'statuses',
] as const
const ADMIN = [
  'accounts',
  'reports',
  'domain_allows',
  'domain_blocks',
  'ip_blocks',
  'email_domain_blocks',
  'canonical_email_blocks',
] as const

export type ScopeNoun = (typeof READ | typeof WRITE | typeof ADMIN)[number]

export const ALL_SCOPES = [
  ...WIDE_SCOPES,
  ...READ.map((noun) => `read:${noun}` as const),
  ...WRITE.map((noun) => `write:${noun}` as const),
  ...ADMIN.map((noun) => `admin:read:${noun}` as const),
  ...ADMIN.map((noun) => `admin:write:${noun}` as const),
]
export type Scope = (typeof ALL_SCOPES)[number]

/** The scopes that the deprecated scope `follow` includes. */
const FOLLOW: readonly Scope[] = (['blocks', 'follows', 'mutes'] as const).flatMap((noun) => [
  `read:${noun}` as const,
  `write:${noun}` as const,
])

/** A scope is covered by itself, by its parent, and, for relationships, by `follow`. */
export function covers(granted: readonly string[], required: Scope): boolean {
  if (granted.includes(required)) return true
  const parent = required.slice(0, required.lastIndexOf(':'))
  if (required.includes(':') && granted.includes(parent)) return true
  if (required === 'follow') return granted.includes('read') && granted.includes('write')
  return FOLLOW.includes(required) && granted.includes('follow')
}

/** Parses a scope parameter; empty means `read`. Null when one of the scopes does not exist. */
export function parseScopes(text: string | undefined): Scope[] | null {
  const scopes = [...new Set((text ?? '').split(/[\s+,]+/).filter(Boolean))]
  if (scopes.length === 0) return ['read']
  return scopes.every(isScope) ? scopes : null
}

const isScope = (text: string): text is Scope => (ALL_SCOPES as readonly string[]).includes(text)
