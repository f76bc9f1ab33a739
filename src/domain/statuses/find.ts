import { addressSpellings } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import type { Accounts, Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { parseLocalUrl } from '../server/addresses.ts'
import type { InteractionPolicy } from './draft.ts'

type StatusColumn =
  | 'id'
  | 'account_id'
  | 'uri'
  | 'url'
  | 'text'
  | 'content'
  | 'spoiler_text'
  | 'visibility'
  | 'sensitive'
  | 'language'
  | 'local'
  | 'reply'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'reblog_of_id'
  | 'conversation_id'
  | 'app_id'
  | 'media_ids'
  | 'poll_id'
  | 'quote_id'
  | 'quote_policy'
  | 'approval_uri'
  | 'edited_at'
  | 'created_at'

export type StatusRow = Pick<Statuses, StatusColumn> &
  Pick<Accounts, 'username' | 'domain'> & {
    interaction_policy: InteractionPolicy | null
    /** Null: approved, or no approval needed. Otherwise only the author sees it. */
    approval: 'pending' | 'rejected' | 'revoked' | null
  }

/** The columns of a status `s` and its author `a`. */
export const statusColumns = sql`
  s.id, s.account_id, s.uri, s.url, s.text, s.content, s.spoiler_text, s.visibility, s.sensitive, s.language, s.local,
  s.reply, s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id, s.conversation_id, s.app_id, s.media_ids, s.poll_id,
  s.quote_id, s.quote_policy, s.interaction_policy, s.approval, s.approval_uri, s.edited_at, s.created_at, a.username,
  a.domain`

const statuses = sql`select ${statusColumns} from statuses s join accounts a on a.id = s.account_id`

/** Does not check who may see the status or reblog. */
export async function findStatusByUri(ctx: Context, uri: string): Promise<StatusRow | null> {
  const local = parseLocalUrl(ctx, uri)
  if (!local) return ctx.db.maybe<StatusRow>(sql`${statuses} where s.uri = ${uri}`)
  if (local.statusId === null || !isId(local.statusId)) return null
  return ctx.db.maybe<StatusRow>(sql`
    ${statuses} where s.id = ${local.statusId} and s.local and lower(a.username) = ${local.username.toLowerCase()}`)
}

/** The ids of those that are stored, as `findStatusByUri` finds them. */
export async function findStatusIdsByUri(ctx: Context, uris: readonly string[]): Promise<string[]> {
  const local = uris.flatMap((uri) => {
    const { username, statusId = null } = parseLocalUrl(ctx, uri) ?? {}
    return username === undefined || statusId === null || !isId(statusId) ? [] : [{ username, statusId }]
  })
  const rows = await ctx.db.many<Pick<Statuses, 'id'>>(sql`
    select id from statuses where uri = any(${uris}::text[])
    union
    select s.id from unnest(
      ${local.map(({ statusId }) => statusId)}::bigint[], ${local.map(({ username }) => username.toLowerCase())}::text[]
    ) as named (id, username)
    join statuses s on s.id = named.id and s.local
    join accounts a on a.id = s.account_id and lower(a.username) = named.username`)
  return rows.map(({ id }) => id)
}

export async function findOwnStatus(ctx: Context, accountId: string, id: string): Promise<StatusRow | null> {
  return ctx.db.maybe<StatusRow>(sql`${statuses} where s.id = ${id} and s.account_id = ${accountId}`)
}

/** Throws NotFound, also for a reblog. */
export async function getOwnStatus(ctx: Context, accountId: string, id: string): Promise<StatusRow> {
  const status = await findOwnStatus(ctx, accountId, id)
  if (!status || status.reblog_of_id !== null) throw new NotFound()
  return status
}

/** The id of the original of a reblog, or the id itself. Does not check who may see it. */
export async function findOriginalId(ctx: Context, id: string): Promise<string | null> {
  const statement = sql`select coalesce(reblog_of_id, id) as id from statuses where id = ${id}`
  return (await ctx.db.maybe<{ id: string }>(statement))?.id ?? null
}

/** A condition on remote statuses: the page is on their own server. Any server can name any other page as that of its status. */
export const hasOwnPage = sql`split_part(url, '/', 3) = split_part(uri, '/', 3)`

export async function findIdByPage(ctx: Context, url: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from statuses where url = any(${addressSpellings(url)}::text[]) and ${hasOwnPage} and not local and reblog_of_id is null limit 1`,
  )
  return row?.id ?? null
}

export async function findKnownUris(ctx: Context, uris: readonly string[]): Promise<string[]> {
  if (uris.length === 0) return []
  const rows = await ctx.db.many<{ uri: string }>(sql`select uri from statuses where uri = any(${uris}::text[])`)
  return rows.map(({ uri }) => uri)
}

/** Null when the parent is stored, or the status is no reply. */
export async function findMissingParent(ctx: Context, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ uri: string | null }>(
    sql`select in_reply_to_uri as uri from statuses where id = ${statusId}`,
  )
  return row?.uri ?? null
}
