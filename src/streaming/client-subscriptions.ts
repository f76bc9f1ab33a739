import type { Context } from '../context.ts'
import { errorAnswer } from '../http/errors.ts'
import { BadRequest, NotFound, TooMany } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { checkScope } from './access.ts'
import { type Channel, findChannel, type StreamParams } from './channels.ts'
import type { Hub, Listener, Subscription } from './hub.ts'

const MAX_SUBSCRIPTIONS = 200

type Command = Record<string, unknown>

export class ClientSubscriptions {
  readonly #ctx: Context
  readonly #hub: Hub
  readonly #listener: Listener
  readonly #sendText: (text: string) => void
  /** By the client's name of the stream. Libraries subscribe for each of their readers: the stream ends with the last. */
  readonly #streams = new Map<string, { subscription: Subscription; times: number }>()
  #last: Promise<void> = Promise.resolve()

  constructor(ctx: Context, hub: Hub, listener: Listener, sendText: (text: string) => void) {
    this.#ctx = ctx
    this.#hub = hub
    this.#listener = listener
    this.#sendText = sendText
  }

  /** The client receives errors; the socket stays open. */
  async receive(text: string): Promise<void> {
    const command = parse(text)
    if (!command) return this.#inTurn(() => Promise.reject(new BadRequest(message('stream_message_invalid'))))
    if (command.type === 'subscribe') return this.subscribe(command)
    if (command.type === 'unsubscribe')
      return this.#execute(command, (channel, params) => this.#unsubscribe(channel, params))
  }

  subscribe(command: Command): Promise<void> {
    return this.#execute(command, (channel, params) => this.#subscribe(channel, params))
  }

  #execute(command: Command, action: (channel: Channel, params: StreamParams) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const channel = findChannel(textOf(command.stream) ?? '')
      if (!channel) throw new BadRequest(message('stream_unknown'))
      await action(channel, { tag: textOf(command.tag), list: textOf(command.list) })
    })
  }

  /** Executes commands one after the other, in the order they were sent, and sends their errors to the client. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      const { status, body } = errorAnswer(error)
      if (status >= 500) this.#ctx.log.warn({ err: error }, 'streaming.subscription-failed')
      this.#sendText(JSON.stringify({ ...body, status }))
    })
    return this.#last
  }

  async #subscribe(channel: Channel, params: StreamParams): Promise<void> {
    checkScope(channel, this.#listener.viewer)
    const { topic, stream } = await channel.open(this.#ctx, this.#listener.viewer, params)
    const name = stream.join('\n')
    const known = this.#streams.get(name)
    if (known) return void known.times++
    if (this.#streams.size >= MAX_SUBSCRIPTIONS) throw new TooMany(message('stream_subscriptions'))
    const subscription = { listener: this.#listener, topic, stream }
    this.#streams.set(name, { subscription, times: 1 })
    this.#hub.subscribe(subscription)
  }

  async #unsubscribe(channel: Channel, params: StreamParams): Promise<void> {
    // Looked up by name first: a list may have been deleted.
    const called = [channel.name, params.tag ?? params.list].filter(Boolean).join('\n')
    const name = this.#streams.has(called) ? called : await this.#findSame(channel, params)
    const known = name === undefined ? undefined : this.#streams.get(name)
    if (!known || name === undefined || --known.times > 0) return
    this.#streams.delete(name)
    this.#hub.unsubscribe(known.subscription)
  }

  /** The name under which the client subscribed to the same topic, such as a hashtag in another case. */
  async #findSame(channel: Channel, params: StreamParams): Promise<string | undefined> {
    const opened = await channel.open(this.#ctx, this.#listener.viewer, params).catch((error: unknown) => {
      if (error instanceof NotFound) return null
      throw error
    })
    const isSame = ({ subscription: { topic } }: { subscription: Subscription }): boolean =>
      topic.kind === opened?.topic.kind && topic.key === opened.topic.key
    return [...this.#streams].find(([, known]) => isSame(known))?.[0]
  }
}

function parse(text: string): Command | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Command) : null
  } catch {
    return null
  }
}

/** A text, or the first of several, as queries may send it. Numbers are ids. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined
}
