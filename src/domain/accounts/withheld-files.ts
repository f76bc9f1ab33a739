import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isId } from '../../lib/ids.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { loadAccountFacts } from './account-facts.ts'

/** The accounts of attachments, which never change. */
const owners = perServer(() => lruCache<string, string>({ max: 20_000 }))

/** Such as `media/3f/a0/1234/original/9c…e1.webp`: the area, and the id of an attachment or account. */
const OWNED = /^(?:cache\/)?(media|avatars|headers)\/[^/]+\/[^/]+\/([^/]+)\//

/** Whether a file belongs to a suspended account: it must not be served until the account is restored. */
export async function isWithheld(ctx: Context, key: string): Promise<boolean> {
  const [, area, id] = OWNED.exec(key) ?? []
  if (area === undefined || id === undefined || !isId(id)) return false
  const accountId = area === 'media' ? await ownerOf(ctx, id) : id
  if (accountId === null) return false
  return (await loadAccountFacts(ctx, [accountId])).get(accountId)?.suspended ?? false
}

/** Null for an attachment that is gone. */
async function ownerOf(ctx: Context, attachmentId: string): Promise<string | null> {
  const known = owners(ctx).get(attachmentId)
  if (known !== undefined) return known
  const row = await ctx.db.maybe<{ account_id: string }>(
    sql`select account_id from media_attachments where id = ${attachmentId}`,
  )
  if (row) owners(ctx).set(attachmentId, row.account_id)
  return row?.account_id ?? null
}
