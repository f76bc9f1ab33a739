import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { extractMentions } from '../../lib/text/extract.ts'
import type { Mentioned } from '../../lib/text/format.ts'
import { accountUrl, isLocalDomain } from '../server/addresses.ts'
import { isShown } from './find.ts'

type Row = { handle: string; username: string; domain: string | null; url: string | null; uri: string | null }

/** The people named in texts, as far as they are known here, by handle as typed. Nobody is looked up elsewhere for a bio. */
export async function findKnownMentions(ctx: Context, texts: readonly string[]): Promise<Map<string, Mentioned>> {
  const wanted = [...new Set(texts.flatMap(extractMentions))].flatMap((handle) => {
    const [username = '', typed] = handle.split('@')
    const domain = typed === undefined ? '' : normaliseDomain(typed)
    return domain === null
      ? []
      : [{ handle, username, domain: domain !== '' && isLocalDomain(ctx, domain) ? '' : domain }]
  })
  if (wanted.length === 0) return new Map()
  const rows = await ctx.db.many<Row>(sql`
    select w.handle, a.username, a.domain, a.url, a.uri
    from unnest(${wanted.map((w) => w.handle)}::text[], ${wanted.map((w) => w.username)}::text[], ${wanted.map((w) => w.domain)}::text[]) as w (handle, username, domain)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
    where a.suspended_at is null and ${isShown}`)
  return new Map(
    rows.map((row) => [
      row.handle,
      row.domain === null
        ? { url: accountUrl(ctx, row.username), acct: row.username }
        : { url: row.url ?? row.uri ?? '', acct: `${row.username}@${row.domain}` },
    ]),
  )
}
