import type { Viewer } from '../domain/auth/viewer.ts'
import { TooMany } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** Somebody who listens: over a WebSocket, or server-sent events. */
export type Listener = {
  /** As of the last time that was looked at. */
  viewer: Viewer
  /** The token itself, to look at again. */
  readonly token: string
  /** Sends an event; `stream` is what the listener called the stream. Without payload: an event that says all. */
  send(stream: readonly string[], event: string, payload?: string): void
  /** Ends the connection in good order, saying why. */
  end(why: 'revoked' | 'stopping'): void
}

/** What is listened to: a kind of feed, and which one of them: an account, a tag, a list. */
export type Topic = { kind: TopicKind; key: string }
export type TopicKind = 'user' | 'notifications' | 'public' | 'hashtag' | 'list' | 'direct'

export type Subscription = { readonly listener: Listener; readonly topic: Topic; readonly stream: readonly string[] }

/** Who listens to what, in this process. */
export type Hub = {
  readonly listeners: ReadonlySet<Listener>
  /** Throws TooMany where a person has so many connections that there may be no further one. */
  checkRoom(userId: string): void
  add(listener: Listener): void
  /** Forgets a listener and its subscriptions. Nothing is sent to it any more. */
  remove(listener: Listener): void
  subscribe(subscription: Subscription): void
  unsubscribe(subscription: Subscription): void
  /** Whether a subscription still holds. */
  holds(subscription: Subscription): boolean
  /** The subscriptions to a topic, as they are now. */
  at(kind: TopicKind, key: string): Subscription[]
  /** Of a kind, the keys that somebody listens to. */
  keys(kind: TopicKind): string[]
  has(kind: TopicKind): boolean
}

/** So many connections a person may have, in all browsers and applications together. */
const MAX_CONNECTIONS = 100

export function createHub(): Hub {
  const listeners = new Set<Listener>()
  const subscriptions = new Map<Listener, Set<Subscription>>()
  const connections = new Map<string, number>()
  const kinds = new Map<TopicKind, Map<string, Set<Subscription>>>()

  const unsubscribe = (subscription: Subscription): void => {
    const { kind, key } = subscription.topic
    subscriptions.get(subscription.listener)?.delete(subscription)
    const keys = kinds.get(kind)
    const there = keys?.get(key)
    there?.delete(subscription)
    if (there?.size === 0) keys?.delete(key)
  }

  return {
    listeners,
    checkRoom(userId) {
      if ((connections.get(userId) ?? 0) >= MAX_CONNECTIONS) throw new TooMany(message('stream_connections'))
    },
    add(listener) {
      const { userId } = listener.viewer
      connections.set(userId, (connections.get(userId) ?? 0) + 1)
      listeners.add(listener)
      subscriptions.set(listener, new Set())
    },
    remove(listener) {
      for (const subscription of subscriptions.get(listener) ?? []) unsubscribe(subscription)
      subscriptions.delete(listener)
      if (!listeners.delete(listener)) return
      const { userId } = listener.viewer
      const left = (connections.get(userId) ?? 1) - 1
      if (left > 0) connections.set(userId, left)
      else connections.delete(userId)
    },
    subscribe(subscription) {
      const own = subscriptions.get(subscription.listener)
      // The connection may have ended while the stream was being opened.
      if (!own) return
      own.add(subscription)
      const { kind, key } = subscription.topic
      const keys = kinds.get(kind) ?? new Map<string, Set<Subscription>>()
      kinds.set(kind, keys)
      keys.set(key, (keys.get(key) ?? new Set()).add(subscription))
    },
    unsubscribe,
    holds: (subscription) => subscriptions.get(subscription.listener)?.has(subscription) ?? false,
    at: (kind, key) => [...(kinds.get(kind)?.get(key) ?? [])],
    keys: (kind) => [...(kinds.get(kind)?.keys() ?? [])],
    has: (kind) => (kinds.get(kind)?.size ?? 0) > 0,
  }
}
