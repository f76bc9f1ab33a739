// One WebSocket for all streams. It reconnects by itself; what was missed meanwhile is for the subscribers to load.
import { effect } from '@preact/signals'
import { hasSessionEnded, isConnected, reportConnection } from '../api/connection.ts'
import { reloadMe } from './me.ts'
import { accountId } from '../api/session.ts'

export type StreamName = { stream: string; tag?: string; list?: string }

export type StreamEvent = { event: string; payload: string }

type Subscriber = {
  names: readonly StreamName[]
  onEvent: (event: StreamEvent) => void
  /** Called after each connection, the first included, and now and then without one: earlier events may have been missed. */
  onConnect?: () => void
}

/** Milliseconds between attempts: doubled each time, up to a minute. */
const FIRST_DELAY = 1000
const LAST_DELAY = 60_000

/** Milliseconds after which a connection counts as one that lasts: others are followed by longer and longer delays. */
const LASTING = 30_000

/** The code with which the server closes the streams of a token that has ended. */
const REVOKED = 1008

const subscribers = new Set<Subscriber>()
let socket: WebSocket | null = null
let attempts = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Returns the function that ends the subscription. */
export function subscribe(subscriber: Subscriber): () => void {
  const added = withoutSubscribers(subscriber.names)
  subscribers.add(subscriber)
  if (!socket) connect()
  else for (const name of added) send('subscribe', name)
  return () => {
    subscribers.delete(subscriber)
    for (const name of withoutSubscribers(subscriber.names)) send('unsubscribe', name)
  }
}

/** Resolves once the streams are connected, or after `maxWait` milliseconds. */
export function untilConnected(maxWait: number): Promise<void> {
  return new Promise((resolve) => {
    if (!socket || socket.readyState !== WebSocket.CONNECTING) return resolve()
    socket.addEventListener('open', () => resolve())
    setTimeout(resolve, maxWait)
  })
}

const keyOf = ({ stream, tag, list }: StreamName): string => [stream, tag ?? list ?? ''].join(' ')
const isSame = (name: StreamName, other: StreamName): boolean => keyOf(name) === keyOf(other)
const withoutSubscribers = (names: readonly StreamName[]): StreamName[] =>
  names.filter((name) => ![...subscribers].some((each) => each.names.some((other) => isSame(name, other))))

function send(type: 'subscribe' | 'unsubscribe', name: StreamName): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...name }))
}

function connect(): void {
  const opened = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/streaming?account=${accountId}`)
  socket = opened
  let lasting: ReturnType<typeof setTimeout> | undefined
  opened.addEventListener('open', () => {
    lasting = setTimeout(() => (attempts = 0), LASTING)
    reportConnection(true)
    const names = new Map([...subscribers].flatMap(({ names: all }) => all.map((name) => [keyOf(name), name])))
    for (const name of names.values()) send('subscribe', name)
    catchUp()
  })
  opened.addEventListener('message', ({ data }) => dispatch(String(data)))
  opened.addEventListener('close', ({ code }) => {
    clearTimeout(lasting)
    if (socket !== opened) return
    // No other request may be due for long; the answer to this one shows that the session has ended.
    if (code === REVOKED) void reloadMe()
    const delay = Math.min(LAST_DELAY, FIRST_DELAY * 2 ** attempts) * (0.5 + Math.random() / 2)
    attempts += 1
    timer = setTimeout(reconnect, delay)
  })
}

/** While the session ends on purpose. Returns the function that connects again. */
export function closeStreams(): () => void {
  const open = socket
  socket = null
  clearTimeout(timer)
  open?.close()
  return () => {
    if (!socket && subscribers.size > 0) connect()
  }
}

function catchUp(): void {
  for (const { onConnect } of subscribers) onConnect?.()
}

function reconnect(): void {
  clearTimeout(timer)
  if (subscribers.size === 0) return void (socket = null)
  if (hasSessionEnded.peek() || !isConnected.peek()) return
  connect()
  // A proxy may refuse all streams while other requests work.
  if (FIRST_DELAY * 2 ** attempts >= LAST_DELAY) catchUp()
}

/** Trying again at once is right when the network, the session or the reader is back. */
function reconnectNow(): void {
  if (!socket || socket.readyState <= WebSocket.OPEN) return
  attempts = 0
  reconnect()
}

effect(() => {
  if (isConnected.value && !hasSessionEnded.value) reconnectNow()
})
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && reconnectNow())
// The browser may notice much later that the connection is dead.
addEventListener('offline', () => socket?.close())

function dispatch(data: string): void {
  const message = JSON.parse(data) as Partial<StreamEvent> & { stream?: string[] }
  if (!message.event || !message.stream) return
  const [stream = '', detail = ''] = message.stream
  const key = [stream, detail].join(' ')
  for (const { names, onEvent } of subscribers)
    if (names.some((name) => keyOf(name) === key)) onEvent({ event: message.event, payload: message.payload ?? '' })
}
