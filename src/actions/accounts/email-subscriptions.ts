// Subscriptions to the posts of a local account by mail, for people without an account.
import type { Context } from '../../context.ts'
import { writeMails, type MailKind, type MailParams } from '../../domain/auth/mails.ts'
import { emailProblems, refuse } from '../../domain/auth/user-rules.ts'
import { findNewestPost, readNewPosts } from '../../domain/email-subscriptions/posts.ts'
import {
  claimDue,
  clearRefusals,
  countRefusal,
  deleteEmailSubscription,
  findOfferingAccount,
  findSubscription,
  hasSubscriptions,
  oldestMailedId,
  secondsUntilDue,
  storeConfirmation,
  storeSubscription,
  subscriptionUrl,
  type OfferingAccount,
  type EmailSubscription,
} from '../../domain/email-subscriptions/subscriptions.ts'
import { senderName } from '../../domain/notifications/texts.ts'
import { refusesSignUps } from '../../domain/registration/ip-blocks.ts'
import { accountUrl, fullHandle } from '../../domain/server/addresses.ts'
import { getSettings } from '../../domain/server/settings.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import type { JobData, JobRun } from '../../jobs/kinds.ts'
import { Forbidden, NotFound, TooMany } from '../../lib/errors.ts'
import { compareIds } from '../../lib/ids.ts'
import { RecipientRefused, type Mail } from '../../lib/mail.ts'
import type { Language } from '../../messages/message.ts'
import { sendWrittenMail } from '../server/mail.ts'

/** `language`: of the mails. */
type Visit = { ip: string; language: Language }

/**
 * Asks by mail whether an address wants to receive the posts. Does the same, and takes the same time, for one that receives them
 * already, so that the answer does not reveal who is subscribed. Throws NotFound unless the account offers its posts; Forbidden
 * for blocked networks; Invalid with `details`; TooMany when the account has as many addresses as it may.
 */
export async function requestSubscription(
  ctx: Context,
  accountId: string,
  typed: string,
  { ip, language }: Visit,
): Promise<void> {
  if (!(await findOfferingAccount(ctx, accountId))) throw new NotFound()
  if (await refusesSignUps(ctx, ip)) throw new Forbidden()
  const email = typed.trim()
  refuse(await emailProblems(ctx, email))
  await ctx.transaction(async (tx) => {
    const subscriptionId = await storeSubscription(tx, accountId, email, language)
    if (subscriptionId === null) throw new TooMany()
    await tx.enqueue('email-subscriptions.confirm', { subscriptionId })
  })
}

/** Job `email-subscriptions.confirm`. */
export async function askForConfirmation(
  ctx: Context,
  { subscriptionId }: JobData['email-subscriptions.confirm'],
  { jobId }: JobRun,
): Promise<void> {
  const found = await findUsable(ctx, subscriptionId)
  if (!found || found.subscription.confirmed_at) return
  const link = subscriptionUrl(ctx, 'confirm', subscriptionId)
  const mail = await writeMail(ctx, found, 'email_subscription', { link })
  try {
    await sendWrittenMail(ctx, mail, jobId)
  } catch (error) {
    if (!(error instanceof RecipientRefused)) throw error
    await deleteEmailSubscription(ctx, subscriptionId)
  }
}

/** The account whose posts the address receives from now on. Null when there is nothing to confirm any more. */
export async function confirmSubscription(ctx: Context, subscriptionId: string): Promise<OfferingAccount | null> {
  const account = await findSubscribedAccount(ctx, subscriptionId)
  if (account) await ctx.transaction((tx) => storeConfirmation(tx, subscriptionId))
  return account
}

/** Null when the subscription is gone, or the account offers nothing now. */
export const findSubscribedAccount = async (ctx: Context, subscriptionId: string): Promise<OfferingAccount | null> =>
  (await findUsable(ctx, subscriptionId))?.account ?? null

type UsableSubscription = { subscription: EmailSubscription; account: OfferingAccount }

async function findUsable(ctx: Context, subscriptionId: string): Promise<UsableSubscription | null> {
  const subscription = await findSubscription(ctx, subscriptionId)
  const account = subscription && (await findOfferingAccount(ctx, subscription.account_id))
  return account && { subscription, account }
}

/** Does nothing for one that is gone. Returns the account, if its posts can be subscribed to again. */
export async function unsubscribeAddress(ctx: Context, subscriptionId: string): Promise<OfferingAccount | null> {
  const account = await findSubscribedAccount(ctx, subscriptionId)
  await ctx.transaction((tx) => deleteEmailSubscription(tx, subscriptionId))
  return account
}

/** Seconds in which further posts join the same mail, and mistakes can be corrected. */
const DELAY = 5 * 60

/** Joins the transaction that publishes a post. */
export async function mailToSubscribers(
  tx: Context,
  { accountId, local, visibility }: Pick<StatusDraft, 'accountId' | 'local' | 'visibility'>,
): Promise<void> {
  if (!local || visibility !== 'public' || !(await getSettings(tx)).email_subscriptions) return
  if (await hasSubscriptions(tx, accountId))
    await tx.enqueue('email-subscriptions.mail', { accountId }, { delay: DELAY, key: accountId })
}

const ADDRESSES_PER_TRANSACTION = 200

/**
 * Job `email-subscriptions.mail`. May run twice, and goes on where a killed process stopped: each subscription stores the last
 * post that it was mailed.
 */
export async function mailNewPosts(ctx: Context, { accountId }: JobData['email-subscriptions.mail']): Promise<void> {
  if (!(await findOfferingAccount(ctx, accountId))) return
  const oldest = oldestMailedId()
  const untilId = await findNewestPost(ctx, accountId, oldest)
  if (untilId === null) return
  for (;;) {
    const claimed = await ctx.transaction(async (tx) => {
      const due = await claimDue(tx, accountId, untilId, ADDRESSES_PER_TRANSACTION)
      await tx.enqueueMany(
        'email-subscriptions.send',
        due.map(({ id, since_id: sinceId }) => ({
          subscriptionId: id,
          sinceId: compareIds(sinceId, oldest) > 0 ? sinceId : oldest,
          untilId,
        })),
      )
      return due.length
    })
    if (claimed < ADDRESSES_PER_TRANSACTION) break
  }
  const delay = await secondsUntilDue(ctx, accountId, untilId)
  if (delay !== null) await ctx.enqueue('email-subscriptions.mail', { accountId }, { delay, key: accountId })
}

/** Job `email-subscriptions.send`: no mail when the account offers nothing any more, or the address or the posts are gone. */
export async function sendNewPosts(
  ctx: Context,
  { subscriptionId, sinceId, untilId }: JobData['email-subscriptions.send'],
  { jobId }: JobRun,
): Promise<void> {
  const found = await findUsable(ctx, subscriptionId)
  if (!found) return
  const { account } = found
  const newPosts = await readNewPosts(ctx, account, { sinceId, untilId })
  if (!newPosts) return
  const unsubscribe = subscriptionUrl(ctx, 'unsubscribe', subscriptionId)
  const about = { ...newPosts, name: senderName(account), link: accountUrl(ctx, account.username), unsubscribe }
  const mail = await writeMail(ctx, found, 'new_posts', about)
  try {
    await sendWrittenMail(ctx, { ...mail, unsubscribe }, jobId)
    await clearRefusals(ctx, subscriptionId)
  } catch (error) {
    if (!(error instanceof RecipientRefused)) throw error
    await ctx.transaction((tx) => countRefusal(tx, subscriptionId))
  }
}

async function writeMail<Kind extends MailKind>(
  ctx: Context,
  { subscription: { email, locale }, account: { username } }: UsableSubscription,
  kind: Kind,
  about: Omit<MailParams<Kind>, 'username' | 'handle'>,
): Promise<Mail> {
  const handle = `@${fullHandle(ctx, { username, domain: null })}`
  const params = { ...about, handle } as unknown as Omit<MailParams<Kind>, 'username'>
  const [mail] = await writeMails(ctx, [{ email, locale, username }], kind, params)
  return mail as Mail
}
