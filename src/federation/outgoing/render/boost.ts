import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri, statusUri } from '../../../domain/server/addresses.ts'

/** A boost by a local account, as its Announce tells it. */
export type Boost = {
  id: string
  username: string
  visibility: string
  originalUri: string
  /** The author of the boosted post. Null where the post is gone. */
  originalAuthorUri: string | null
  createdAt: Date
  /** The authorization by the author of the boosted post, where there is one. */
  approvalUri?: string | null
}

/** A stored boost, with the accounts behind it. */
export type BoostRow = Boost & { accountId: string; originalAuthorId: string; isApproved: boolean }

/** Reads boosts by local accounts for rendering, by id. One statement. */
export async function loadBoosts(ctx: Context, ids: readonly string[]): Promise<Map<string, BoostRow>> {
  const rows = await ctx.db.many<{
    id: string
    account_id: string
    username: string
    visibility: string
    created_at: Date
    original_id: string
    original_uri: string | null
    author_id: string
    author_username: string
    author_uri: string | null
    approval: string | null
    approval_uri: string | null
  }>(sql`
    select s.id, s.account_id, s.approval, s.approval_uri, a.username, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri,
      o.account_id as author_id, oa.username as author_username, oa.uri as author_uri
    from statuses s join accounts a on a.id = s.account_id join statuses o on o.id = s.reblog_of_id join accounts oa on oa.id = o.account_id
    where s.id = any(${ids}::bigint[]) and s.local`)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        accountId: row.account_id,
        username: row.username,
        visibility: row.visibility,
        originalUri: row.original_uri ?? statusUri(ctx, row.author_username, row.original_id),
        originalAuthorId: row.author_id,
        originalAuthorUri: row.author_uri ?? accountUri(ctx, row.author_username),
        createdAt: row.created_at,
        isApproved: row.approval === null,
        approvalUri: row.approval === null ? row.approval_uri : null,
      },
    ]),
  )
}
