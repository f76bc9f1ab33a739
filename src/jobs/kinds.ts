/**
 * Every kind of job and what it is told: ids, never documents. A job may run twice, and does nothing the second time.
 */
export type JobData = {
  /** Render an activity, store it in outbox_activities, work out who is to receive it, and add a delivery for each inbox. */
  'federation.distribute': Distribution
  /** Deliver one stored activity to one inbox. */
  'federation.deliver': Delivery
  /** Process one activity that came in. */
  'federation.receive': { id: string }
  /** Ask a server who of ours follows its account, as its last activity told of others than are known here. */
  'federation.synchronize': { accountId: string; url: string; digest: string }
  /** Fetch the parent of a reply that is not known here, and its parents. */
  'federation.thread': { statusId: string }
  /** Fetch the replies to a post of another server, and the replies to these. */
  'federation.replies': { statusId: string }
  /** Fetch an account's document again, with its pictures and pinned posts. */
  'federation.refresh': { accountId: string; force?: boolean }
  /** Keep a copy of remote pictures of an account or a status. */
  'media.cache': { accountId?: string; statusId?: string }
  /** Measure a remote video or audio file, from its beginning and its end. */
  'media.probe': { mediaId: string }
  /** Convert a film, a sound or an animation that somebody uploaded. */
  'media.process': { mediaId: string }
  /** Put a status into feeds beyond what the posting transaction did: followers with an id above `after`. */
  'fanout.home': { statusId: string; after: string }
  /** Put the posts of somebody newly followed into a feed. */
  'fanout.merge': { accountId: string; targetAccountId: string }
  /** Put a feed together anew, after what brings posts into it was changed: lists that keep them away, hashtags, domains. */
  'fanout.rebuild': { accountId: string }
  /** As fanout.home, for those who follow one of the hashtags: followed hashtags with an id above `after`. */
  'fanout.tags': { statusId: string; after: string }
  /** Put the notifications of accepted requests among the others. */
  'notifications.merge': { accountId: string }
  /** Tell those who look after people that somebody has joined. */
  'notifications.sign-up': { accountId: string }
  /** Push one notification to one subscription. */
  'push.send': { subscriptionId: string; notificationId: string }
  /** Post what somebody scheduled: at its time. */
  'statuses.publish': { scheduledId: string }
  /** Notice the end of a poll: at its time. */
  'polls.close': { pollId: string }
  /** Tell other servers how a poll of this server stands. */
  'polls.tell': { pollId: string }
  /** Ask the server of a remote poll how it stands. */
  'polls.refresh': { pollId: string }
  /** Fetch what a remote post quotes, and see whether its author agreed. */
  'federation.quote': { statusId: string }
  /** See whether a reply from another server, which its parent's author has to approve, is approved; `quiet`: then nobody is notified. */
  'federation.approval': { statusId: string; quiet: boolean }
  /** Fetch what a post links to, for its preview; `attempt` counts how often its server could not be reached. */
  'cards.fetch': { statusId: string; attempt?: number }
  /** Tell in what language a post is whose author did not say. */
  /** `assumed`: the language stored until it is detected. */
  'languages.detect': { statusId: string; assumed?: string }
  /** Let an account's public posts be found, or not any more: those with an id above `after`. */
  'search.account': { accountId: string; after: string }
  /** Do the next rows of an import. */
  'portability.import': { importId: string }
  /** Build an archive of somebody's posts and media. */
  'portability.archive': { archiveId: string }
  /** Let the people of this server follow where an account has moved: followers whose follow has an id above `after`. */
  'portability.followers': { accountId: string; targetAccountId: string; after?: string }
  /** Remove archives and imports that have had their time. */
  'portability.sweep': Record<string, never>
  /** Send a mail. Its text is sealed, as it may hold a link that signs in; earlier versions stored it as it is. */
  'mail.send': Mail | SealedMail
  /** Check the links of a profile for a link back. */
  'accounts.verify-links': { accountId: string }
  /** Look back on what somebody did in a year. */
  'accounts.annual-report': { accountId: string; year: number }
  /** Remove what has had its time: orphaned media, old inbox ids, expired keys, feeds nobody reads. */
  'instance.sweep': Record<string, never>
}

/** `followedBy`: stored activities to deliver afterwards, one by one and in this order. */
export type Delivery = { activityId: string; inbox: string; followedBy?: string[] }

/**
 * What is told to other servers, and about what. Undoing and deleting carry what the rows, gone by then, can no longer tell.
 * `accountId` is always the acting account of this server; `to` are accounts that hear of it beside the followers.
 */
export type Distribution =
  | { activity: 'create' | 'update'; statusId: string }
  /** The post as it is by now, though nobody edited it: a poll, a policy, a consent. */
  | { activity: 'refresh'; statusId: string }
  | { activity: 'vote'; accountId: string; voteIds: string[] }
  /** Asks the author of a remote post to approve an interaction with it: the quote, the reply, the boost or the favourite `id`. */
  | { activity: `request-${Interaction}`; accountId: string; id: string }
  /** The answer to such a request of another server; `id` of the interaction where it is accepted. */
  | {
      activity: `${'accept' | 'reject'}-${Interaction}`
      accountId: string
      request: InteractionRequest
      id: string | null
    }
  | { activity: 'revoke-quote'; accountId: string; quoteId: string; quotedStatusId: string; to: string[] }
  /** `sharers`: local accounts whose followers have met the post by them. */
  | {
      activity: 'delete'
      accountId: string
      statusId: string
      visibility: Visibility
      to: string[]
      sharers?: string[]
    }
  | { activity: 'announce'; statusId: string }
  | {
      activity: 'undo-announce'
      accountId: string
      statusId: string
      visibility: Visibility
      originalUri: string
      originalAuthorUri: string | null
      to: string[]
    }
  | { activity: 'like'; accountId: string; statusId: string; favouriteId: string }
  | { activity: 'undo-like'; accountId: string; favouriteId: string; originalUri: string; to: string[] }
  | { activity: 'follow' | 'undo-follow'; accountId: string; targetAccountId: string; followId: string }
  | {
      activity: 'accept-follow' | 'reject-follow'
      accountId: string
      targetAccountId: string
      followUri: string | null
    }
  | { activity: 'block' | 'undo-block'; accountId: string; targetAccountId: string; blockId: string }
  | { activity: 'add-featured' | 'remove-featured'; accountId: string; statusId: string }
  /** `name` as the account spells it. */
  | { activity: 'add-featured-tag' | 'remove-featured-tag'; accountId: string; name: string }
  | { activity: 'update-actor' | 'delete-actor'; accountId: string }
  | { activity: 'move'; accountId: string; targetAccountId: string; moveId: string }

export type Interaction = 'quote' | 'reply' | 'announce' | 'like'

/** A request as its server named it: the activity, the interaction, the post that it is about, who asks. */
export type InteractionRequest = { uri: string | null; instrument: string; object: string; requesterId: string }

type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

export type Mail = { to: string; subject: string; text: string }
export type SealedMail = { to: string; subject: string; sealed: string }

export type JobName = keyof JobData

export type EnqueueOptions = {
  /** Not before this many seconds have passed. */
  delay?: number
  /** Not before this instant. */
  at?: Date
  /** While a job with this key is waiting, no second one is made. */
  key?: string
  /** Of the jobs in a group, no more than `groupConcurrency` of their kind run at once. */
  group?: string
  /** Jobs of higher priority run first; 0 unless given. */
  priority?: number
}
