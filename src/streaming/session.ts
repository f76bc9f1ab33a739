import type { Context } from '../context.ts'
import { errorAnswer } from '../http/errors.ts'
import { BadRequest, NotFound, TooMany } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { checkScope } from './access.ts'
import { type Channel, findChannel, type StreamParams } from './channels.ts'
import type { Hub, Listener, Subscription } from './hub.ts'

const MAX_SUBSCRIPTIONS = 200

/** What one client has subscribed to over its socket. */
export type Session = {
  /** Acts on a frame the client sent. Errors are told to the client; the socket stays open. */
  receive(text: string): Promise<void>
  /** Subscribes as a `subscribe` frame does. */
  subscribe(command: Record<string, unknown>): Promise<void>
}

export function createSession(ctx: Context, hub: Hub, listener: Listener, sendText: (text: string) => void): Session {
  /** By how the client calls the stream. Subscribed to twice, a stream is left with the second unsubscribing. */
  const streams = new Map<string, { subscription: Subscription; times: number }>()
  let last: Promise<void> = Promise.resolve()

  const subscribe = async (channel: Channel, params: StreamParams): Promise<void> => {
    checkScope(channel, listener.viewer)
    const { topic, stream } = await channel.open(ctx, listener.viewer, params)
    const name = stream.join('\n')
    const known = streams.get(name)
    if (known) return void known.times++
    if (streams.size >= MAX_SUBSCRIPTIONS) throw new TooMany(message('stream_subscriptions'))
    const subscription = { listener, topic, stream }
    streams.set(name, { subscription, times: 1 })
    hub.subscribe(subscription)
  }

  /** The name of the same stream, called in another way than when it was subscribed to: a tag may be. */
  const alike = async (channel: Channel, params: StreamParams): Promise<string | undefined> => {
    const opened = await channel.open(ctx, listener.viewer, params).catch((error: unknown) => {
      // Nobody can be subscribed to what is not there.
      if (error instanceof NotFound) return null
      throw error
    })
    const isSame = ({ subscription: { topic } }: { subscription: Subscription }): boolean =>
      topic.kind === opened?.topic.kind && topic.key === opened.topic.key
    return [...streams].find(([, entry]) => isSame(entry))?.[0]
  }

  const unsubscribe = async (channel: Channel, params: StreamParams): Promise<void> => {
    // A list may be gone by now.
    const called = [channel.name, params.tag ?? params.list].filter(Boolean).join('\n')
    const name = streams.has(called) ? called : await alike(channel, params)
    const known = name === undefined ? undefined : streams.get(name)
    if (!known || name === undefined || --known.times > 0) return
    streams.delete(name)
    hub.unsubscribe(known.subscription)
  }

  /** One after the other, in the order they were sent; what goes wrong is told. */
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    (last = last.then(work).catch((error: unknown) => {
      const { status, body } = errorAnswer(error)
      if (status >= 500) ctx.log.warn({ err: error }, 'streaming.subscription-failed')
      sendText(JSON.stringify({ ...body, status }))
    }))

  const act = (command: Record<string, unknown>, action: typeof subscribe): Promise<void> =>
    inTurn(async () => {
      const channel = findChannel(textOf(command.stream) ?? '')
      if (!channel) throw new BadRequest(message('stream_unknown'))
      await action(channel, { tag: textOf(command.tag), list: textOf(command.list) })
    })

  return {
    subscribe: (command) => act(command, subscribe),
    async receive(text) {
      const command = parse(text)
      if (command?.type === 'subscribe') return act(command, subscribe)
      if (command?.type === 'unsubscribe') return act(command, unsubscribe)
      if (!command) return inTurn(() => Promise.reject(new BadRequest(message('stream_message_invalid'))))
    },
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** A text, or the first of several, as forms and queries may send it; numbers are ids. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : typeof first === 'number' ? String(first) : undefined
}
