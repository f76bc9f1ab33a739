// Handles in texts that are written here.
import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { extractMentions } from '../../lib/text/extract.ts'
import type { Mentioned } from '../../lib/text/format.ts'
import { accountUrl, isLocalDomain } from '../server/addresses.ts'
import { isShown } from './find.ts'

/** `handle`: as typed. `domain` is null for local accounts. */
export type MentionHandle = { handle: string; username: string; domain: string | null }

/** Leaves out handles that cannot be accounts. */
export const parseMentions = (ctx: Context, text: string): MentionHandle[] =>
  extractMentions(text).flatMap((handle) => parseMention(ctx, handle))

function parseMention(ctx: Context, handle: string): MentionHandle[] {
  const [username = '', typedDomain] = handle.split('@')
  if (typedDomain === undefined) return [{ handle, username, domain: null }]
  const domain = normaliseDomain(typedDomain)
  if (domain === null) return []
  return [{ handle, username, domain: isLocalDomain(ctx, domain) ? null : domain }]
}

export type MentionedRow = Pick<Accounts, 'id' | 'username' | 'domain' | 'url' | 'uri'> & { handle: string }
export const mentionedColumns: Sql = sql`w.handle, a.id, a.username, a.domain, a.url, a.uri`

/** `from … where …`: the accounts `a` with the handles `w`. Unknown and suspended accounts are missing. */
export const fromMentioned = (mentions: readonly MentionHandle[]): Sql => sql`
  from unnest(${mentions.map(({ handle }) => handle)}::text[], ${mentions.map(({ username }) => username)}::text[],
    ${mentions.map(({ domain }) => domain ?? '')}::text[]) with ordinality as w (handle, username, domain, place)
  join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
  where a.suspended_at is null and ${isShown}`

export function linkOf(ctx: Context, account: MentionedRow): Mentioned {
  if (account.domain === null) return { url: accountUrl(ctx, account.username), acct: account.username }
  return { url: account.url ?? account.uri ?? '', acct: `${account.username}@${account.domain}` }
}
