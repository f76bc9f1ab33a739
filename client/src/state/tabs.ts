// What the tabs of this browser that use the account tell each other.
import { accountId } from '../api/session.ts'

/** Received by the other tabs. After any of them, the number of unread notifications may be another one. */
export const tabs = new BroadcastChannel(`rookery-${accountId}`)

/** `read`: notifications; `hidden`: which posts Home shows, by an act or a filter. */
export const announce = (news: 'read' | 'hidden'): void =>
  // Channels' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage(news)
