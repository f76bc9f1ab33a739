import type { Visibility } from '../db/schema.ts'

export const INTERACTIONS = ['quote', 'reply', 'announce', 'like'] as const
export type Interaction = (typeof INTERACTIONS)[number]

/** The kinds of requests to another account: for an interaction with its status, or for its place in a collection. */
export type Requested = Interaction | 'feature'

export type InteractionRequest = { uri: string | null; instrument: string; object: string; requesterId: string }

type Undo = { undo: true }
type Do = { undo?: never }

/**
 * An act of a local account that other servers receive. `accountId` is the acting account. An Undo or Delete contains the values
 * of its deleted rows; `to` lists the accounts that receive it. Followers receive it as well where they may know its object.
 */
export type FederatedAct =
  /**
   * `refresh` sends a status after a change of its poll, its policy or the state of its quote. With `to`, only these accounts
   * receive it.
   */
  | { activity: 'create' | 'update' | 'refresh'; statusId: string; to?: string[] }
  /** `sharers`: local accounts that boosted the status, whose followers received it. */
  | {
      activity: 'delete'
      accountId: string
      statusId: string
      visibility: Visibility
      to: string[]
      sharers?: string[]
    }
  | ({ activity: 'announce'; statusId: string } & Do)
  | ({
      activity: 'announce'
      accountId: string
      statusId: string
      visibility: Visibility
      originalUri: string
      originalAuthorUri: string | null
      to: string[]
    } & Undo)
  | ({ activity: 'like'; accountId: string; statusId: string; favouriteId: string } & Do)
  | ({ activity: 'like'; accountId: string; favouriteId: string; originalUri: string; to: string[] } & Undo)
  /** To a device of a remote account; `messageId` is the message that waits to be sent. */
  | { activity: 'encrypted-message'; messageId: string }
  | { activity: 'vote'; accountId: string; voteIds: string[] }
  /** Asks a remote account for approval; `id` is the quote, reply, boost, favourite or item of a collection. */
  | { activity: 'request'; interaction: Requested; accountId: string; id: string }
  /** Answers the request of a remote account; `id` is the accepted interaction, null to reject. */
  | {
      activity: 'answer-request'
      interaction: Requested
      accountId: string
      request: InteractionRequest
      id: string | null
    }
  | { activity: 'revoke-quote'; accountId: string; quoteId: string; quotedStatusId: string; to: string[] }
  /** Withdraws the consent to be in a remote collection; `itemId` is the item that it authorized. */
  | { activity: 'revoke-feature'; accountId: string; itemId: string; collectionUri: string; to: string[] }
  | { activity: 'follow'; undo?: true; accountId: string; targetAccountId: string; followId: string }
  | {
      activity: 'answer-follow'
      accepted: boolean
      accountId: string
      targetAccountId: string
      followUri: string | null
    }
  | { activity: 'block'; undo?: true; accountId: string; targetAccountId: string; blockId: string }
  | { activity: 'feature'; undo?: true; accountId: string; statusId: string }
  | { activity: 'feature-tag'; undo?: true; accountId: string; name: string }
  /** A collection of accounts, and an account in it. */
  | ({ activity: 'collection' | 'update-collection'; accountId: string; collectionId: string } & Do)
  | ({ activity: 'collection'; accountId: string; collectionId: string; to: string[] } & Undo)
  | ({ activity: 'collection-item'; accountId: string; collectionId: string; itemId: string } & Do)
  | ({ activity: 'collection-item'; accountId: string; collectionId: string; itemId: string; to: string[] } & Undo)
  /** With `undoneMoveId`, the recipients of that Move receive it, too. */
  | { activity: 'update-actor'; accountId: string; undoneMoveId?: string }
  | { activity: 'delete-actor'; accountId: string }
  | { activity: 'move'; accountId: string; targetAccountId: string; moveId: string }
  /** Sent by the instance actor. */
  | { activity: 'flag'; reportId: string }
  | { activity: 'follow-relay'; undo?: true; inboxUrl: string; followUri: string }

/** `followedBy`: stored activities to deliver to the same inbox afterwards, one by one and in this order. */
export type ActivityDelivery = { activityId: string; inbox: string; followedBy?: string[] }
