/**
 * What processes tell each other after a commit: ids only. Who needs more reads it.
 * Losing a message loses a live update or leaves a cache stale until its time is up, never data.
 */
export type BusMessage =
  /** `more`: it was put into further home feeds after the first thousands; public feeds had it already. */
  | { type: 'status.new'; id: string; more?: true }
  /** `unmentioned`: accounts that the edit stopped mentioning, which may not be allowed to see it any more. */
  | { type: 'status.edited'; id: string; unmentioned?: string[] }
  /** `remainingIn`: accounts in whose home feed it was, or whom it mentioned; in several messages where they are many. */
  | {
      type: 'status.deleted'
      id: string
      accountId: string
      visibility: string
      tags: string[]
      local: boolean
      media: boolean
      remainingIn: string[]
    }
  | { type: 'notification.new'; id: string; accountId: string }
  /** What was held back of senders who were let through is among the other notifications. */
  | { type: 'notifications.merged'; accountId: string }
  | { type: 'filters.changed'; accountId: string }
  /** A private message has come for the device of this token. */
  | { type: 'encrypted_message.new'; id: string; accountId: string; tokenId: string }
  /** A conversation of direct posts, one of this account, has another last post, or was read. */
  | { type: 'conversation.changed'; id: string; accountId: string }
  /** Tokens were revoked, or their owner may no longer use them: drop them from caches, close their streams. */
  | { type: 'tokens.gone'; tokenIds: string[] }
  /** The user or account behind tokens changed: read it again. */
  | { type: 'user.changed'; userId: string }
  | { type: 'settings.changed' }

export type BusHandler = (message: BusMessage) => void
