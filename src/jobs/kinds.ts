import type { Mail } from '../lib/mail.ts'
import type { ActivityDelivery, FederatedAct } from './distribution.ts'

/** How failed jobs of a kind are retried, in seconds: the delay doubles up to `retryDelayMax`. */
type RetryPolicy = { retryLimit: number; retryDelay: number; retryDelayMax?: number; expireInSeconds: number }

/** How many jobs of a kind one process runs at once: `localConcurrency` batches of `batchSize`. */
type Weight = { batchSize: number; localConcurrency: number; groupConcurrency?: number }

export type KindSettings = RetryPolicy & {
  /** At most one job waits for each key. Changing this for a kind takes a migration. */
  keyed?: boolean
  /** Reads from remote servers: the job stores its cause, for the budget of outgoing requests. */
  traced?: boolean
  /** Waits for remote servers: overflow workers take over the queue while a batch is slow. */
  overflows?: boolean
  /** `DEFAULT_WEIGHT` unless given. */
  weight?: Weight
}

declare const data: unique symbol
type JobKind<Data> = KindSettings & { readonly [data]?: Data }

const kind = <Data extends object>(settings: KindSettings): JobKind<Data> => settings

const QUICK: RetryPolicy = { retryLimit: 5, retryDelay: 5, retryDelayMax: 600, expireInSeconds: 120 }
const LONG: RetryPolicy = { retryLimit: 5, retryDelay: 30, retryDelayMax: 3600, expireInSeconds: 900 }
const TWICE: RetryPolicy = { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 }
const REMOTE = { traced: true, overflows: true }

export const DEFAULT_WEIGHT: Weight = { batchSize: 5, localConcurrency: 1 }

/**
 * Every kind of job, one record each: its data, its retries and its concurrency. The handlers are in `worker/handlers.ts`.
 * Data contains ids, except for mails, whose text is sealed, and for activities about deleted rows. A job may run twice,
 * and the second run changes nothing.
 */
export const JOB_KINDS = {
  /** Renders an activity, stores it in outbox_activities and adds one delivery per inbox. */
  'federation.distribute': kind<FederatedAct>({
    ...QUICK,
    overflows: true,
    weight: { batchSize: 10, localConcurrency: 2 },
  }),
  /** Delivers one stored activity to one inbox. Retries go on for about two days. */
  'federation.deliver': kind<ActivityDelivery>({
    retryLimit: 18,
    retryDelay: 15,
    retryDelayMax: 21_600,
    expireInSeconds: 120,
    overflows: true,
    weight: { batchSize: 50, localConcurrency: 4 },
  }),
  /** Processes one received activity. */
  'federation.receive': kind<{ id: string }>({
    retryLimit: 8,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    ...REMOTE,
    weight: { batchSize: 20, localConcurrency: 2 },
  }),
  /** Fetches the local followers that a remote account's server knows, after a digest that differs (FEP-8fcf). */
  'federation.synchronize': kind<{ accountId: string; url: string; digest: string }>({
    ...TWICE,
    ...REMOTE,
    keyed: true,
  }),
  /** Fetches the missing ancestors of a reply. */
  'federation.thread': kind<{ statusId: string }>({
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 300,
    ...REMOTE,
    keyed: true,
  }),
  /** Fetches the replies to a remote status, and theirs. */
  'federation.replies': kind<{ statusId: string }>({ retryLimit: 1, retryDelay: 60, expireInSeconds: 300, ...REMOTE }),
  /** Fetches a remote account's actor again, with its images and pinned statuses. */
  'federation.refresh': kind<{ accountId: string; force?: boolean }>({ ...TWICE, ...REMOTE, keyed: true }),
  /** Fetches the status that a remote status quotes, and checks that its author approved. */
  'federation.quote': kind<{ statusId: string }>({
    retryLimit: 3,
    retryDelay: 60,
    retryDelayMax: 3600,
    expireInSeconds: 300,
    ...REMOTE,
    keyed: true,
  }),
  /** Checks that a remote reply was approved by the author of its parent; `silent`: without notifications. */
  'federation.approval': kind<{ statusId: string; silent: boolean }>({
    retryLimit: 3,
    retryDelay: 60,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    ...REMOTE,
  }),
  /** Caches the remote images of an account or a status. */
  'media.cache': kind<{ accountId?: string; statusId?: string }>({
    retryLimit: 3,
    retryDelay: 60,
    expireInSeconds: 300,
    ...REMOTE,
    keyed: true,
  }),
  /** Measures a remote video or audio file from its beginning and its end. */
  'media.probe': kind<{ mediaId: string }>({
    retryLimit: 2,
    retryDelay: 300,
    expireInSeconds: 120,
    keyed: true,
    overflows: true,
  }),
  /** Converts an uploaded video, audio file or animation. */
  'media.process': kind<{ mediaId: string }>({
    retryLimit: 4,
    retryDelay: 10,
    retryDelayMax: 120,
    expireInSeconds: 3600,
    // A video keeps a processor busy for minutes: two at a time, one per account, so that no account delays all others.
    weight: { batchSize: 1, localConcurrency: 2, groupConcurrency: 1 },
  }),
  /** Adds a status to the home feeds of followers whose follow has an id above `after`. */
  'fanout.home': kind<{ statusId: string; after: string }>(QUICK),
  /** Adds a status to the feeds of accounts that follow one of its hashtags: tag follows with an id above `after`. */
  'fanout.tags': kind<{ statusId: string; after: string }>(QUICK),
  /** Adds the statuses of a newly followed account to a home feed. */
  'fanout.merge': kind<{ accountId: string; targetAccountId: string }>(QUICK),
  /** Rebuilds a home feed after a change of exclusive lists, followed hashtags or domain blocks. */
  'fanout.rebuild': kind<{ accountId: string }>(QUICK),
  /** Adds the notifications of accepted requests to the others. */
  'notifications.merge': kind<{ accountId: string }>(QUICK),
  /** Notifies moderators of a new account. */
  'notifications.sign-up': kind<{ accountId: string }>(QUICK),
  /** Pushes one notification to one subscription. */
  'push.send': kind<{ subscriptionId: string; notificationId: string }>({
    retryLimit: 10,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 60,
    overflows: true,
    weight: { batchSize: 20, localConcurrency: 2 },
  }),
  /** Publishes a scheduled status. */
  'statuses.publish': kind<{ scheduledId: string }>({
    retryLimit: 10,
    retryDelay: 1,
    retryDelayMax: 600,
    expireInSeconds: 120,
    weight: { batchSize: 20, localConcurrency: 1 },
  }),
  /** Closes an expired poll. */
  'polls.close': kind<{ pollId: string }>({ ...QUICK, weight: { batchSize: 20, localConcurrency: 1 } }),
  /** Sends the current tally of a local poll to remote servers. */
  'polls.tell': kind<{ pollId: string }>({ ...QUICK, keyed: true }),
  /** Fetches the current tally of a remote poll. */
  'polls.refresh': kind<{ pollId: string }>({ ...TWICE, ...REMOTE, keyed: true }),
  /** Fetches the page that a status links to, for its preview card; `attempt` counts failed connections. */
  'cards.fetch': kind<{ statusId: string; attempt?: number }>({ ...TWICE, ...REMOTE }),
  /** Detects the language of a status whose author named none; `assumed` is the language stored until then. */
  'languages.detect': kind<{ statusId: string; assumed?: string }>(TWICE),
  /** Updates the search index after an account changed whether its statuses are searchable: those with an id above `after`. */
  'search.account': kind<{ accountId: string; after: string }>(QUICK),
  /** Performs the next rows of an import. */
  'portability.import': kind<{ importId: string }>({
    retryLimit: 20,
    retryDelay: 30,
    retryDelayMax: 3600,
    expireInSeconds: 900,
  }),
  /** Builds an archive of an account's statuses and media. */
  'portability.archive': kind<{ archiveId: string }>({
    retryLimit: 3,
    retryDelay: 60,
    retryDelayMax: 3600,
    expireInSeconds: 4 * 3600,
  }),
  /** Moves local followers to the new account of a moved account: follows with an id above `after`. */
  'portability.followers': kind<{ accountId: string; targetAccountId: string; after?: string }>(LONG),
  /** Sends a mail. Its text is sealed because it may hold a link that signs in; the first version stored it in plain text. */
  'mail.send': kind<Mail | SealedMail>({
    retryLimit: 10,
    retryDelay: 15,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    overflows: true,
  }),
  /** Checks the links of a profile for a link back. */
  'accounts.verify-links': kind<{ accountId: string }>({ ...TWICE, ...REMOTE }),
  /** Summarises what an account posted in a year. */
  'accounts.annual-report': kind<{ accountId: string; year: number }>(QUICK),
  /** Deletes expired rows and files. */
  'instance.clean-up': kind<Record<string, never>>(LONG),
}

export type JobName = keyof typeof JOB_KINDS
export type JobData = { [Name in JobName]: (typeof JOB_KINDS)[Name] extends JobKind<infer Data> ? Data : never }

export const settingsOf = (name: JobName): KindSettings => JOB_KINDS[name]

export type SealedMail = { to: string; subject: string; sealed: string }

export type EnqueueOptions = {
  /** Seconds before the job may start. */
  delay?: number
  /** The instant before which the job must not start. */
  at?: Date
  /** Adds no second job with this key while one waits. Only for kinds that are `keyed`. */
  key?: string
  /** At most `groupConcurrency` jobs of a group run at once. */
  group?: string
  /** Jobs of higher priority run first; 0 unless given. */
  priority?: number
}
