import type { Context } from '../../../context.ts'
import type { Accounts, Statuses, Visibility } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri, statusUri } from '../../../domain/server/addresses.ts'

export type Reblog = {
  id: string
  username: string
  visibility: Visibility
  originalUri: string
  originalAuthorUri: string | null
  createdAt: Date
  approvalUri?: string | null
}

export type ReblogRow = Reblog & {
  accountId: string
  originalId: string
  originalAuthorId: string
  isApproved: boolean
}

type ReblogColumns = Pick<Statuses, 'id' | 'account_id' | 'visibility' | 'created_at' | 'approval' | 'approval_uri'> &
  Pick<Accounts, 'username'> & {
    original_id: Statuses['id']
    original_uri: Statuses['uri']
    author_id: Accounts['id']
    author_username: Accounts['username']
    author_uri: Accounts['uri']
  }

/** Local accounts only. One statement. */
export async function loadReblogs(ctx: Context, ids: readonly string[]): Promise<Map<string, ReblogRow>> {
  const rows = await ctx.db.many<ReblogColumns>(sql`
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
        originalId: row.original_id,
        originalAuthorId: row.author_id,
        originalAuthorUri: row.author_uri ?? accountUri(ctx, row.author_username),
        createdAt: row.created_at,
        isApproved: row.approval === null,
        approvalUri: row.approval === null ? row.approval_uri : null,
      },
    ]),
  )
}
