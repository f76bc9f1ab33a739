import type { Viewer } from '../domain/auth/viewer.ts'
import { TooMany } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** `stream`: the client's name of the stream. Some events have no payload. */
export type Encode = (stream: readonly string[], event: string, payload?: string) => Buffer

/** Unsent bytes over which a slow client is disconnected. */
export const MAX_UNSENT_BYTES = 4 * 1024 * 1024

/** A connected client: a WebSocket, or a response with server-sent events. */
export type Listener = {
  /** Replaced when the user changes. */
  viewer: Viewer
  readonly token: string
  /** Listeners with the same function share the bytes of an event. */
  readonly encode: Encode
  send(bytes: Buffer): void
  end(why: 'revoked' | 'stopping'): void
}

/** `key`: the id of an account or a list, or the name of a public or hashtag stream. */
export type Topic = { kind: TopicKind; key: string }
export type TopicKind = 'user' | 'notifications' | 'public' | 'hashtag' | 'list' | 'direct'

export type Subscription = { readonly listener: Listener; readonly topic: Topic; readonly stream: readonly string[] }

/** Connections that a user may have, in all browsers and applications together. */
const MAX_CONNECTIONS = 100

export class Hub {
  readonly #subscriptions = new Map<Listener, Set<Subscription>>()
  readonly #connections = new Map<string, number>()
  readonly #topics = new Map<TopicKind, Map<string, Set<Subscription>>>()

  get listeners(): Listener[] {
    return [...this.#subscriptions.keys()]
  }

  get size(): number {
    return this.#subscriptions.size
  }

  get isEmpty(): boolean {
    return this.#subscriptions.size === 0
  }

  /** Throws TooMany when the user may open no further connection. */
  checkRoom(userId: string): void {
    if ((this.#connections.get(userId) ?? 0) >= MAX_CONNECTIONS) throw new TooMany(message('stream_connections'))
  }

  add(listener: Listener): void {
    const { userId } = listener.viewer
    this.#connections.set(userId, (this.#connections.get(userId) ?? 0) + 1)
    this.#subscriptions.set(listener, new Set())
  }

  /** May run twice. */
  remove(listener: Listener): void {
    for (const subscription of this.#subscriptions.get(listener) ?? []) this.unsubscribe(subscription)
    if (!this.#subscriptions.delete(listener)) return
    const { userId } = listener.viewer
    const left = (this.#connections.get(userId) ?? 1) - 1
    if (left > 0) this.#connections.set(userId, left)
    else this.#connections.delete(userId)
  }

  subscribe(subscription: Subscription): void {
    const own = this.#subscriptions.get(subscription.listener)
    // The connection may have ended while the stream was being opened.
    if (!own) return
    own.add(subscription)
    const { kind, key } = subscription.topic
    const keys = this.#topics.get(kind) ?? new Map<string, Set<Subscription>>()
    this.#topics.set(kind, keys)
    keys.set(key, (keys.get(key) ?? new Set()).add(subscription))
  }

  unsubscribe(subscription: Subscription): void {
    const { kind, key } = subscription.topic
    this.#subscriptions.get(subscription.listener)?.delete(subscription)
    const keys = this.#topics.get(kind)
    const subscriptions = keys?.get(key)
    subscriptions?.delete(subscription)
    if (subscriptions?.size === 0) keys?.delete(key)
  }

  isSubscribed(subscription: Subscription): boolean {
    return this.#subscriptions.get(subscription.listener)?.has(subscription) ?? false
  }

  /** Returns a copy. */
  at(kind: TopicKind, key: string): Subscription[] {
    return [...(this.#topics.get(kind)?.get(key) ?? [])]
  }

  keys(kind: TopicKind): string[] {
    return [...(this.#topics.get(kind)?.keys() ?? [])]
  }

  has(kind: TopicKind): boolean {
    return (this.#topics.get(kind)?.size ?? 0) > 0
  }
}
