// Addresses that receive the new posts of a local account by mail.
import type { Context } from '../../context.ts'
import type { Accounts, EmailSubscriptions } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { daysAgo } from '../../lib/dates.ts'
import { idAt, isId, newId } from '../../lib/ids.ts'
import { hasPermission } from '../auth/viewer.ts'
import { isSignature, signatureOf } from '../server/secrets.ts'
import { getSettings } from '../server/settings.ts'
import { isFunctional } from '../users/states.ts'

/** Addresses of an account, confirmed or not. */
const MAX_SUBSCRIPTIONS = 10_000
/** Hours between two mails of an account to an address, so that someone who posts all day sends no more than six. */
const HOURS_BETWEEN = 4
/** Days after which a post is not mailed any more, such as those from before an account offers its posts again. */
const MAX_AGE_DAYS = 1
/** Mails in a row that the mail server refuses because of the address, after which the address is deleted. */
const MAX_REFUSALS = 3

/** Whether a user `u` with a role `r` may offer the posts of an account `a`. */
const mayOffer: Sql = sql`(${hasPermission('manage_email_subscriptions')} and ${isFunctional}
  and a.silenced_at is null and a.moved_to_id is null)`

/** Whether the user chose it, too. Meaningless unless the server's setting allows it. */
export const offersSubscriptions: Sql = sql`(coalesce((u.settings ->> 'email_subscriptions')::boolean, false) and ${mayOffer})`

const offering = (accountId: string, condition: Sql): Sql => sql`
  select a.id, a.username, a.display_name from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id
  where a.id = ${accountId} and ${condition}`

export type OfferingAccount = Pick<Accounts, 'id' | 'username' | 'display_name'>

/** Null for an account whose posts cannot be received by mail now. */
export async function findOfferingAccount(ctx: Context, accountId: string): Promise<OfferingAccount | null> {
  if (!(await getSettings(ctx)).email_subscriptions) return null
  return ctx.db.maybe<OfferingAccount>(offering(accountId, offersSubscriptions))
}

/** Whether the server, the role and the state of the account permit to offer them. */
export const mayOfferSubscriptions = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await getSettings(ctx)).email_subscriptions && (await ctx.db.maybe(offering(accountId, mayOffer))) !== null

export type EmailSubscription = Pick<EmailSubscriptions, 'id' | 'account_id' | 'email' | 'locale' | 'confirmed_at'>

export const findSubscription = (ctx: Context, id: string): Promise<EmailSubscription | null> =>
  ctx.db.maybe(sql`select id, account_id, email, locale, confirmed_at from email_subscriptions where id = ${id}`)

/**
 * Stores an address that waits for its confirmation, or has it wait from now on; a confirmed one stays as it is. Null when the
 * account has too many.
 */
export async function storeSubscription(
  tx: Context,
  accountId: string,
  email: string,
  locale: string,
): Promise<string | null> {
  const row = await tx.db.maybe<{ id: string }>(sql`
    insert into email_subscriptions as e (id, account_id, email, locale)
    select ${newId()}, ${accountId}, ${email}, ${locale}
    where (select count(*) from email_subscriptions where account_id = ${accountId}) < ${MAX_SUBSCRIPTIONS}::int
    on conflict (account_id, lower(email)) do update set
      created_at = case when e.confirmed_at is null then now() else e.created_at end,
      locale = case when e.confirmed_at is null then excluded.locale else e.locale end
    returning id`)
  return row?.id ?? null
}

/** Posts from now on are mailed. May run twice. */
export async function storeConfirmation(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`
    update email_subscriptions set confirmed_at = now(), mailed_id = ${idAt(new Date())}
    where id = ${id} and confirmed_at is null`)
}

export async function deleteEmailSubscription(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`delete from email_subscriptions where id = ${id}`)
}

/** Also those that wait for their confirmation. */
export async function deleteSubscriptionsOf(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`delete from email_subscriptions where account_id = ${accountId}`)
}

/** Confirmed ones. */
export async function countSubscriptions(ctx: Context, accountId: string): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from email_subscriptions where account_id = ${accountId} and confirmed_at is not null`)
  return count
}

export const hasSubscriptions = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from email_subscriptions where account_id = ${accountId} and confirmed_at is not null limit 1`)) !== null

/** Where posts to mail begin: nothing older is new any more. */
export const oldestMailedId = (): string => idAt(daysAgo(MAX_AGE_DAYS))

export type DueSubscription = Pick<EmailSubscriptions, 'id'> & { since_id: string }

/**
 * Claims addresses that were not mailed for a while and lack posts up to `newestId`: no other job mails them these posts.
 * `since_id`: the last post that they have.
 */
export const claimDue = (tx: Context, accountId: string, newestId: string, limit: number): Promise<DueSubscription[]> =>
  tx.db.many<DueSubscription>(sql`
    update email_subscriptions e set mailed_id = ${newestId}, mailed_at = now()
    from (
      select id, mailed_id as since_id from email_subscriptions
      where account_id = ${accountId} and mailed_id < ${newestId}
        and (mailed_at is null or mailed_at <= now() - make_interval(hours => ${HOURS_BETWEEN}::int))
      order by id limit ${limit} for update skip locked
    ) due where e.id = due.id returning e.id, due.since_id`)

/** Seconds until one of the others that lack posts up to `newestId` is due; null when none does. */
export async function secondsUntilDue(ctx: Context, accountId: string, newestId: string): Promise<number | null> {
  const { seconds } = await ctx.db.one<{ seconds: number | null }>(sql`
    select ceil(extract(epoch from min(mailed_at) + make_interval(hours => ${HOURS_BETWEEN}::int) - now()))::int as seconds
    from email_subscriptions where account_id = ${accountId} and mailed_id < ${newestId}`)
  return seconds === null ? null : Math.max(1, seconds)
}

/** After the mail server refused a mail because of the address. */
export async function countRefusal(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`update email_subscriptions set refusals = refusals + 1 where id = ${id}`)
  await tx.db.run(sql`delete from email_subscriptions where id = ${id} and refusals >= ${MAX_REFUSALS}::int`)
}

export async function clearRefusals(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update email_subscriptions set refusals = 0 where id = ${id} and refusals > 0`)
}

type Purpose = 'confirm' | 'unsubscribe'

/** Needs no session. It works for as long as the subscription exists, since mails are read late. */
export const subscriptionUrl = (ctx: Context, purpose: Purpose, id: string): string =>
  `${ctx.config.baseUrl}/email_subscriptions/${purpose}?token=${id}.${signatureOf(ctx, signedText(purpose, id))}`

/** The id in the token of such an address; null for any other text. */
export function subscriptionOfToken(ctx: Context, purpose: Purpose, token: string): string | null {
  const [id = '', signature = ''] = token.split('.')
  return isId(id) && isSignature(ctx, signedText(purpose, id), signature) ? id : null
}

const signedText = (purpose: Purpose, id: string): string => `${purpose} email subscription ${id}`
