import { covers } from '../domain/auth/scopes.ts'
import type { Texts } from '../messages/pages.ts'

export type ScopeText = { title: string; detail: string; caution: boolean }

/** The scopes that have a text of their own, the widest first. */
const NAMED = ['profile', 'read', 'write', 'follow', 'push', 'crypto', 'admin:read', 'admin:write'] as const

/** The scopes that an application requests, described, the widest first. Scopes that another one covers are left out. */
export function scopeTexts(t: Texts, scopes: readonly string[]): ScopeText[] {
  const needed = scopes.filter((scope) => {
    const others = scopes.filter((other) => other !== scope)
    return !covers(others, scope)
  })
  const named = NAMED.filter((scope) => needed.includes(scope))
  const narrow = needed.filter((scope) => !NAMED.some((name) => name === scope))
  return [
    ...named.map((scope) => ({ ...t.scopes[scope], caution: scope.startsWith('admin:') })),
    ...narrow.map((scope) => narrowText(t, scope)),
  ]
}

function narrowText({ scopes: texts }: Texts, scope: string): ScopeText {
  const parts = scope.split(':')
  const noun = (texts.nouns as Record<string, string>)[parts.at(-1) ?? ''] ?? scope
  const writes = parts.at(-2) === 'write'
  const caution = parts[0] === 'admin'
  const admin = writes ? texts.admin_write_one : texts.admin_read_one
  const { title, detail } = caution ? admin : writes ? texts.write_one : texts.read_one
  return { title: title({ noun }), detail, caution }
}
