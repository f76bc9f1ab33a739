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
]
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
]
const ADMIN = [
  'accounts',
  'reports',
  'domain_allows',
  'domain_blocks',
  'ip_blocks',
  'email_domain_blocks',
  'canonical_email_blocks',
]

export const ALL_SCOPES: readonly string[] = [
  'read',
  'profile',
  'write',
  ...READ.map((noun) => `read:${noun}`),
  ...WRITE.map((noun) => `write:${noun}`),
  'follow',
  'push',
  'crypto',
  'admin:read',
  'admin:write',
  ...ADMIN.map((noun) => `admin:read:${noun}`),
  ...ADMIN.map((noun) => `admin:write:${noun}`),
]

/** The scopes that the deprecated scope `follow` includes. */
const FOLLOW = ['blocks', 'follows', 'mutes'].flatMap((noun) => [`read:${noun}`, `write:${noun}`])

/** A scope is covered by itself, by its parent, and, for relationships, by `follow`. */
export function covers(granted: readonly string[], required: string): boolean {
  if (granted.includes(required)) return true
  const parent = required.slice(0, required.lastIndexOf(':'))
  if (required.includes(':') && granted.includes(parent)) return true
  if (required === 'follow') return granted.includes('read') && granted.includes('write')
  return FOLLOW.includes(required) && granted.includes('follow')
}

/** Parses a scope parameter; empty means `read`. Null when one of the scopes does not exist. */
export function parseScopes(text: string | undefined): string[] | null {
  const scopes = [...new Set((text ?? '').split(/[\s+,]+/).filter(Boolean))]
  if (scopes.length === 0) return ['read']
  return scopes.every((scope) => ALL_SCOPES.includes(scope)) ? scopes : null
}
