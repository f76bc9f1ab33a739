import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isId } from '../../lib/ids.ts'

const MAX_KNOWN = 20_000

/** By owner. An entry is outdated only if the bus lost a message, and then for a minute. */
const answers = perServer((ctx) => {
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN, ttl: 60_000 })
  ctx.subscribe((message) => {
    if (message.type === 'account.suspended') known.clear()
  })
  return known
})

/** Such as `media/3f/a0/1234/original/9c…e1.webp`: the area, and the id of an attachment or account. */
const OWNED = /^(?:cache\/)?(media|avatars|headers)\/[^/]+\/[^/]+\/([^/]+)\//

/** Whether a file belongs to a suspended account: it must not be served until the account is restored. */
export async function isWithheld(ctx: Context, key: string): Promise<boolean> {
  const [, area, id] = OWNED.exec(key) ?? []
  if (area === undefined || id === undefined || !isId(id)) return false
  const owner = `${area === 'media' ? 'media' : 'account'} ${id}`
  const known = answers(ctx).get(owner)
  if (known !== undefined) return known
  const accountId = area === 'media' ? sql`(select account_id from media_attachments where id = ${id})` : sql`${id}`
  const found = await ctx.db.maybe(sql`select from accounts where id = ${accountId} and suspended_at is not null`)
  answers(ctx).set(owner, found !== null)
  return found !== null
}
