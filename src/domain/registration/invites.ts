import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Accounts, Invites, Users } from '../../db/schema.ts'
import { allOf, sql, type Sql } from '../../db/sql.ts'
import { newestFirst, ordered, type Pagination, within } from '../../db/page.ts'
import { NotFound, invalidFieldWithDetails, invalidRequest } from '../../lib/errors.ts'
import { mayAct } from '../users/states.ts'
import { lockUser } from '../users/locks.ts'

export type Invite = Pick<
  Invites,
  'id' | 'user_id' | 'code' | 'comment' | 'autofollow' | 'max_uses' | 'uses' | 'expires_at' | 'created_at'
> &
  Pick<Accounts, 'username'> & { account_id: string; usable: boolean }

/** Characters that are not mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12
export const MAX_INVITE_COMMENT = 420
const MAX_INVITE_USES = 10_000
/** Usable invitations of one user. */
const MAX_INVITES = 100

const hasNotEnded: Sql = sql`(i.expires_at is null or i.expires_at > now())`
const isOpen: Sql = sql`((i.max_uses is null or i.uses < i.max_uses) and ${hasNotEnded})`

/** An SQL condition: whether the invitation can be used now, as its user may act. */
const usable: Sql = sql`(${isOpen} and ${mayAct})`
const source: Sql = sql`
  select i.id, i.user_id, i.code, i.comment, i.autofollow, i.max_uses, i.uses, i.expires_at, i.created_at, a.username,
    u.account_id, ${usable} as usable
  from invites i join users u on u.id = i.user_id join accounts a on a.id = u.account_id`

/** `expiresIn`: seconds. Null stands for no limit. */
export type InviteValues = { maxUses: number | null; expiresIn: number | null; autofollow: boolean; comment: string }

/** Throws Invalid. */
export async function insertInvite(tx: Context, userId: string, values: InviteValues): Promise<{ code: string }> {
  const { maxUses, expiresIn, autofollow } = values
  const comment = values.comment.trim()
  if ([...comment].length > MAX_INVITE_COMMENT)
    throw invalidFieldWithDetails('comment', 'too_long', { count: MAX_INVITE_COMMENT })
  if (maxUses !== null && maxUses > MAX_INVITE_USES)
    throw invalidFieldWithDetails('max_uses', 'at_most', { count: MAX_INVITE_USES })
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  await lockUser(tx, userId)
  const row = await tx.db.maybe<Pick<Invites, 'code'>>(sql`
    insert into invites (user_id, code, comment, autofollow, max_uses, expires_at)
    select ${userId}, ${code}, ${comment}, ${autofollow}, ${maxUses}::int, now() + ${expiresIn}::int * interval '1 second'
    where (select count(*) from invites i where i.user_id = ${userId} and ${isOpen}) < ${MAX_INVITES} returning code`)
  if (!row) throw invalidRequest('invite_limit', { count: MAX_INVITES })
  return row
}

/** `state`: all unless given. `userId`: of everyone unless given. */
export type InviteFilter = { state?: 'usable' | 'ended'; userId?: string }

export async function listInvites(ctx: Context, page: Pagination, { state, userId }: InviteFilter): Promise<Invite[]> {
  const rows = await ctx.db.many<Invite>(sql`
    ${source} where ${allOf([
      within(sql`i.id`, page),
      userId !== undefined && sql`i.user_id = ${userId}`,
      state === 'usable' && usable,
      state === 'ended' && sql`not ${usable}`,
    ])} ${ordered(sql`i.id`, page)}`)
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getInvite(ctx: Context, id: string): Promise<Invite> {
  const invite = await ctx.db.maybe<Invite>(sql`${source} where i.id = ${id}`)
  if (!invite) throw new NotFound()
  return invite
}

/** Null for an unknown code, and for an invitation that has ended. */
export async function findUsableInvite(ctx: Context, code: string): Promise<Invite | null> {
  if (code === '' || code.length > 100) return null
  return ctx.db.maybe<Invite>(sql`${source} where i.code = ${code} and ${usable}`)
}

/** Counts a use in the transaction of the sign-up. False when the invitation has ended meanwhile. */
export async function useInvite(tx: Context, id: string, userId: string): Promise<boolean> {
  const counted = await tx.db.run(sql`
    update invites i set uses = uses + 1 where id = ${id} and ${isOpen}`)
  if (counted > 0) await tx.db.run(sql`update users set invite_id = ${id} where id = ${userId}`)
  return counted > 0
}

/** Returns those that had not ended. */
export const endInvites = (tx: Context, ids: readonly string[]): Promise<Pick<Invites, 'id' | 'code'>[]> =>
  tx.db.many(sql`
    update invites i set expires_at = now() where id = any(${ids}::bigint[]) and ${hasNotEnded} returning id, code`)

/** Ends all invitations of all users. */
export const endAllInvites = (tx: Context): Promise<number> =>
  tx.db.run(sql`update invites i set expires_at = now() where ${hasNotEnded}`)

/** The account that a new one follows because its invitation says so; null for none. */
export async function findInviterToFollow(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Users, 'account_id'>>(sql`
    select inviter.account_id from users u join invites i on i.id = u.invite_id join users inviter on inviter.id = i.user_id
    where u.account_id = ${accountId} and i.autofollow`)
  return row?.account_id ?? null
}
