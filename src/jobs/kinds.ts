import type { Cause } from '../lib/cause.ts'
import type { ActivityDelivery, FederatedAct } from './distribution.ts'
import type { WebhookEvent } from './webhook-events.ts'

/** In seconds: the delay doubles up to `retryDelayMax`. */
type RetryPolicy = { retryLimit: number; retryDelay: number; retryDelayMax?: number; expireInSeconds: number }

/** One process runs `localConcurrency` batches of `batchSize` jobs of a kind at once. */
type Weight = { batchSize: number; localConcurrency: number; groupConcurrency?: number }

export type KindSettings = RetryPolicy & {
  /** At most one job waits for each key. Changing this for a kind takes a migration. */
  keyed?: boolean
  /** The job stores its cause, for the budget of requests to remote servers. */
  traced?: boolean
  /** The job waits for remote servers: overflow workers take over the queue while a batch is slow. */
  overflows?: boolean
  /** The data holds more about a person than ids: no page and no log shows it. */
  personal?: boolean
  /** `DEFAULT_WEIGHT` unless given. */
  weight?: Weight
}

declare const data: unique symbol
type JobKind<Data> = KindSettings & { readonly [data]?: Data }

const kind = <Data extends object>(settings: KindSettings): JobKind<Data> => settings

const QUICK: RetryPolicy = { retryLimit: 5, retryDelay: 5, retryDelayMax: 600, expireInSeconds: 120 }
const LONG: RetryPolicy = { retryLimit: 5, retryDelay: 30, retryDelayMax: 3600, expireInSeconds: 900 }
const TWICE: RetryPolicy = { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 }
/** For reading what an account of another server consents to. */
const CONSENT: RetryPolicy = { retryLimit: 3, retryDelay: 60, retryDelayMax: 3600, expireInSeconds: 300 }
/** For what a mail server takes. Retries go on for about three hours. */
const MAILED: KindSettings = {
  retryLimit: 10,
  retryDelay: 15,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  overflows: true,
}
const REMOTE = { traced: true, overflows: true }

export const DEFAULT_WEIGHT: Weight = { batchSize: 5, localConcurrency: 1 }

/**
 * The handlers are in `worker/handlers.ts`. Data contains ids and addresses, except for mails, whose text is sealed, searches at
 * auxiliary services, and activities and files of deleted rows. A job may run twice, and the second run changes nothing.
 */
export const JOB_KINDS = {
  'federation.distribute': kind<FederatedAct>({
    ...QUICK,
    overflows: true,
    weight: { batchSize: 10, localConcurrency: 2 },
  }),
  /** Retries go on for about two days. */
  'federation.deliver': kind<ActivityDelivery>({
    retryLimit: 18,
    retryDelay: 15,
    retryDelayMax: 21_600,
    expireInSeconds: 120,
    overflows: true,
    weight: { batchSize: 50, localConcurrency: 4 },
  }),
  /** Activities that fail are retried in jobs of their own. */
  'federation.receive': kind<ReceivedActivity | { batch: ReceivedActivity[] }>({
    retryLimit: 8,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    overflows: true,
    weight: { batchSize: 5, localConcurrency: 2 },
  }),
  /** After a digest that differs (FEP-8fcf). */
  'federation.synchronize': kind<{ accountId: string; url: string; digest: string }>({
    ...TWICE,
    ...REMOTE,
    keyed: true,
  }),
  'federation.thread': kind<{ statusId: string }>({
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 300,
    ...REMOTE,
    keyed: true,
  }),
  'federation.replies': kind<{ statusId: string }>({ retryLimit: 1, retryDelay: 60, expireInSeconds: 300, ...REMOTE }),
  'federation.refresh': kind<{ accountId: string; force?: boolean }>({ ...TWICE, ...REMOTE, keyed: true }),
  'federation.quote': kind<{ statusId: string }>({ ...CONSENT, ...REMOTE, keyed: true }),
  /** Verifies the accounts in a remote collection. */
  'federation.collection': kind<{ collectionId: string }>({ ...CONSENT, ...REMOTE, keyed: true }),
  /** Checks that the author of the parent approved a remote reply; `silent`: without notifications. */
  'federation.approval': kind<{ statusId: string; silent: boolean }>({
    retryLimit: 3,
    retryDelay: 60,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    ...REMOTE,
  }),
  /** Fetches the account to which a remote account says it has moved. */
  'federation.moved-to': kind<{ accountId: string; uri: string }>({ ...TWICE, ...REMOTE, keyed: true }),
  'federation.node-info': kind<{ domain: string }>({ ...TWICE, ...REMOTE, keyed: true }),
  'media.cache': kind<{ accountId?: string; statusId?: string }>({
    retryLimit: 3,
    retryDelay: 60,
    expireInSeconds: 300,
    ...REMOTE,
    keyed: true,
  }),
  /** Reads the beginning and the end of a remote video or audio file. */
  'media.probe': kind<{ mediaId: string }>({
    retryLimit: 2,
    retryDelay: 300,
    expireInSeconds: 120,
    keyed: true,
    overflows: true,
  }),
  'media.process': kind<{ mediaId: string }>({
    retryLimit: 4,
    retryDelay: 10,
    retryDelayMax: 120,
    expireInSeconds: 3600,
    // A video keeps a processor busy for minutes: two at a time, one per account, so that no account delays all others.
    weight: { batchSize: 1, localConcurrency: 2, groupConcurrency: 1 },
  }),
  /** On a busy machine it waits for others: see `lowerPriority`. */
  'fanout.home': kind<{ statusId: string }>({
    ...QUICK,
    expireInSeconds: 900,
    // Each writes to feeds on two connections.
    weight: { batchSize: 1, localConcurrency: 2 },
  }),
  /** `after`: only tag follows with a greater id. */
  'fanout.tags': kind<{ statusId: string; after: string }>(QUICK),
  'fanout.merge': kind<{ accountId: string; targetAccountId: string }>(QUICK),
  /** After a change of exclusive lists, followed hashtags or domain blocks. */
  'fanout.rebuild': kind<{ accountId: string }>(QUICK),
  'notifications.merge': kind<{ accountId: string }>(QUICK),
  'notifications.sign-up': kind<{ accountId: string }>(QUICK),
  /** `waits` counts the jobs that were delayed because the push service was unavailable or asked to wait. */
  'push.send': kind<{ subscriptionId: string; notificationId: string; waits?: number }>({
    retryLimit: 10,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 60,
    overflows: true,
    weight: { batchSize: 20, localConcurrency: 2 },
  }),
  'statuses.publish': kind<{ scheduledId: string }>({
    retryLimit: 10,
    retryDelay: 1,
    retryDelayMax: 600,
    expireInSeconds: 120,
    weight: { batchSize: 20, localConcurrency: 1 },
  }),
  /** Resolves handles in a local status again, or the mentioned `uris` of a remote one. `attempt` counts these jobs. */
  'statuses.mentions': kind<{ statusId: string; accountId: string; attempt: number; uris?: string[] }>({
    ...TWICE,
    ...REMOTE,
  }),
  'polls.close': kind<{ pollId: string }>({ ...QUICK, weight: { batchSize: 20, localConcurrency: 1 } }),
  /** Sends the current tally of a local poll to remote servers. */
  'polls.tell': kind<{ pollId: string }>({ ...QUICK, keyed: true }),
  /** Remote polls only. */
  'polls.refresh': kind<{ pollId: string }>({ ...TWICE, ...REMOTE, keyed: true }),
  /** `attempt` counts failed connections. */
  'cards.fetch': kind<{ statusId: string; attempt?: number }>({ ...TWICE, ...REMOTE }),
  /** For authors who named no language; `assumed` is the language stored until then. */
  'languages.detect': kind<{ statusId: string; assumed?: string }>(TWICE),
  /** After an account changed whether its statuses are searchable. `after`: only statuses with a greater id. */
  'search.account': kind<{ accountId: string; after: string }>(QUICK),
  'portability.import': kind<{ importId: string }>({
    retryLimit: 20,
    retryDelay: 30,
    retryDelayMax: 3600,
    expireInSeconds: 900,
  }),
  /** Retries go on for most of the day after which the archive counts as failed. */
  'portability.archive': kind<{ archiveId: string }>({
    retryLimit: 22,
    retryDelay: 60,
    retryDelayMax: 3600,
    expireInSeconds: 4 * 3600,
  }),
  /** `after`: only follows with a greater id. */
  'portability.followers': kind<{ accountId: string; targetAccountId: string; after?: string }>(LONG),
  /**
   * Sends a mail. Its text and the address that unsubscribes are sealed, because they may hold a link that signs in or changes a
   * setting, and finished jobs stay readable for an hour.
   */
  'mail.send': kind<{ to: string; subject: string; sealed: string; unsubscribe?: string }>({
    ...MAILED,
    personal: true,
  }),
  /** Mails the link by which an address is subscribed, unless that was done. */
  'email-subscriptions.confirm': kind<{ subscriptionId: string }>(MAILED),
  /** Enqueues a mail for each address that lacks new posts of an account, and then this job again for those not due yet. */
  'email-subscriptions.mail': kind<{ accountId: string }>({ ...QUICK, keyed: true }),
  /** Mails the posts after `sinceId` up to `untilId`, as they are by then. */
  'email-subscriptions.send': kind<{ subscriptionId: string; sinceId: string; untilId: string }>(MAILED),
  /** Writes the mail with first steps, an hour after a user has joined. */
  'mail.welcome': kind<{ accountId: string }>(QUICK),
  /** `event`: of `WEBHOOK_EVENTS`, or `test`. Retries go on for about half a day. */
  'webhooks.deliver': kind<{ webhookId: string; event: WebhookEvent | 'test'; subjectId: string; at: string }>({
    retryLimit: 10,
    retryDelay: 30,
    retryDelayMax: 21_600,
    expireInSeconds: 60,
    overflows: true,
  }),
  /** Tells an auxiliary service provider what it asked for; all of them by schedule. It is not retried: the schedule is. */
  'fasp.announce': kind<{ providerId?: string }>({
    retryLimit: 1,
    retryDelay: 60,
    expireInSeconds: 600,
    keyed: true,
    overflows: true,
    // While a provider is slow, no other job sends it the same.
    weight: { ...DEFAULT_WEIGHT, groupConcurrency: 1 },
  }),
  /** Asks auxiliary service providers for accounts that a local account may want to follow. */
  'fasp.recommend': kind<{ accountId: string }>({ retryLimit: 0, retryDelay: 1, expireInSeconds: 300, ...REMOTE }),
  /** Asks auxiliary service providers for accounts. `key`: of the refresh that counts them. */
  'fasp.search': kind<{ term: string; key: string }>({
    retryLimit: 0,
    retryDelay: 1,
    expireInSeconds: 300,
    ...REMOTE,
    personal: true,
  }),
  /** `after`: only users with a greater id. */
  'announcements.mail': kind<{ announcementId: string; after: string }>(LONG),
  /** Publishes a scheduled announcement, or takes one down that has ended. */
  'announcements.update': kind<{ announcementId: string }>(QUICK),
  /** Mails a version of the terms of service to all users. */
  'terms.mail': kind<{ id: string }>({ ...LONG, retryLimit: 20 }),
  'accounts.verify-links': kind<{ accountId: string }>({ ...TWICE, ...REMOTE, keyed: true }),
  /** Deletes the files of an account that is deleted. */
  'files.delete': kind<{ keys: string[] }>({ ...LONG, retryLimit: 20 }),
  /** Deletes the data of a suspended account, part by part. */
  'accounts.purge': kind<{ accountId: string }>({ ...LONG, keyed: true }),
  /** Deletes what requests stored for an account that had begun before its deletion. */
  'accounts.erase': kind<{ accountId: string; keepRecords: boolean }>(LONG),
  'accounts.annual-report': kind<{ accountId: string; year: number }>(QUICK),
  /** Removes the follows between local accounts and a domain or an account. */
  'moderation.sever': kind<{ severanceId: string }>(LONG),
  /** Makes the accounts of a domain match the domain blocks; `restore`: their follows return afterwards. */
  'moderation.apply-domain': kind<{ domain: string; restore?: true }>(LONG),
  'moderation.fetch-list': kind<{ listId: string }>({ ...TWICE, overflows: true, keyed: true }),
  'moderation.purge-domain': kind<{ domain: string; severanceId?: string }>(LONG),
  'moderation.restore': kind<{ severanceId: string }>(LONG),
  /** Computes scores and ranks of the hashtags, links and posts that were used lately. */
  'trends.refresh': kind<Record<string, never>>(QUICK),
  /** Mails staff what waits for a review. */
  'trends.review': kind<Record<string, never>>(QUICK),
  'instance.clean-up': kind<Record<string, never>>(LONG),
}

export type JobName = keyof typeof JOB_KINDS
export type JobData = { [Name in JobName]: (typeof JOB_KINDS)[Name] extends JobKind<infer Data> ? Data : never }

export const settingsOf = (name: JobName): KindSettings => JOB_KINDS[name]

export const JOB_NAMES = Object.keys(JOB_KINDS) as JobName[]

/** `cause`: of the request that delivered it, which shares its budget. */
export type ReceivedActivity = { id: string; cause?: Cause | null }

/** One run of a job. `jobId` is the same in every run: use it as the key of a row to insert it once. */
export type JobRun = { jobId: string; isLastAttempt: boolean }

export type EnqueueOptions = {
  /** Seconds before the job may start. */
  delay?: number
  /** The job does not start before this time. */
  at?: Date
  /** Adds no second job with this key while one waits. Only for kinds that are `keyed`. */
  key?: string
  /** At most `groupConcurrency` jobs of a group run at once. */
  group?: string
  /** Jobs of higher priority run first; 0 unless given. */
  priority?: number
}
