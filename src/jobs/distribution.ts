// Data of the jobs that send activities: `federation.distribute` and `federation.deliver`.
/** One delivery. `followedBy`: stored activities to deliver to the same inbox afterwards, one by one and in this order. */
export type Delivery = { activityId: string; inbox: string; followedBy?: string[] }

/**
 * An activity to render and deliver. Undo and Delete carry the values of rows that no longer exist when the job runs.
 * `accountId` is always the acting local account; `to` are accounts that receive the activity besides the followers.
 */
export type Distribution =
  | { activity: 'create' | 'update'; statusId: string }
  /** An Update of the current status that is not an edit: its poll, interaction policy or quote approval changed. */
  | { activity: 'refresh'; statusId: string }
  | { activity: 'vote'; accountId: string; voteIds: string[] }
  /** Asks the author of a remote status to approve an interaction; `id` is the quote, reply, reblog or favourite. */
  | { activity: `request-${Interaction}`; accountId: string; id: string }
  /** Answers such a request of a remote server; `id` is the interaction, null when it is rejected. */
  | {
      activity: `${'accept' | 'reject'}-${Interaction}`
      accountId: string
      request: InteractionRequest
      id: string | null
    }
  | { activity: 'revoke-quote'; accountId: string; quoteId: string; quotedStatusId: string; to: string[] }
  /** `sharers`: local accounts whose reblogs have shown the status to their followers. */
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
  /** `name` in the account's own spelling. */
  | { activity: 'add-featured-tag' | 'remove-featured-tag'; accountId: string; name: string }
  | { activity: 'update-actor' | 'delete-actor'; accountId: string }
  | { activity: 'move'; accountId: string; targetAccountId: string; moveId: string }

export type Interaction = 'quote' | 'reply' | 'announce' | 'like'

/** A remote request by its ActivityPub ids: the activity, the interaction, the status and the requesting account. */
export type InteractionRequest = { uri: string | null; instrument: string; object: string; requesterId: string }

type Visibility = 'public' | 'unlisted' | 'private' | 'direct'
