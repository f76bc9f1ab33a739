export type Handle = {
  username: string
  /** Lower case, punycode, with a port other than 443; null for `@user` alone. */
  domain: string | null
}

const MAX_LENGTH = 512
const MAX_USERNAME_LENGTH = 128
const usernamePattern = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.~+-]*[\p{L}\p{N}_])?$/u

/** Parses `user@host`, `@user@host`, `acct:user@host`, `user@host:8080`, `user@ドメイン.example` and `@user`; null for other text. */
export function parseHandle(text: string): Handle | null {
  if (text.length > MAX_LENGTH) return null
  const bare = text
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '')
  const at = bare.indexOf('@')
  const username = at < 0 ? bare : bare.slice(0, at)
  const host = bare.slice(at + 1)
  // The username of an instance actor is its domain, which may have a port.
  const isServer = at >= 0 && username.toLowerCase() === host.toLowerCase()
  if (!isServer && (username.length > MAX_USERNAME_LENGTH || !usernamePattern.test(username))) return null
  if (at < 0) return { username, domain: null }
  const domain = normaliseDomain(host)
  return domain === null ? null : { username, domain }
}

/**
 * The form in which domains are compared and stored: lower case, punycode, with a port other than 443. Null unless it is a host.
 */
export function normaliseDomain(text: string): string | null {
  if (text.length > MAX_LENGTH || !/^(?:\[[\da-f:.]+\]|[^\s/?#@\\:%[\]<>^|]+)(?::\d{1,5})?$/iu.test(text)) return null
  const host = URL.parse(`https://${text}`)?.host.replace(/\.(?=$|:)/, '') ?? ''
  return host === '' || host.startsWith('.') || host.includes('..') ? null : host
}

export function formatHandle(handle: Handle): string {
  return handle.domain === null ? handle.username : `${handle.username}@${handle.domain}`
}

export function isSameHandle(a: Handle, b: Handle): boolean {
  return a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase()
}
