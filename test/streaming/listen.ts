import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { WebSocket, type ClientOptions } from 'ws'
import type { TestServer } from '../support/server.ts'

export type Frame = { stream?: string[]; event?: string; payload?: string; error?: string; status?: number }

/** A client on a raw WebSocket. */
export type Listening = {
  socket: WebSocket
  /** All received frames, in order. */
  frames: Frame[]
  tell(command: Record<string, unknown>): void
  /** Returns the first matching frame that it has not returned before. Waits for it; throws after a minute. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>
  /** The parsed payload of the next event of this name on this stream. */
  event(name: string, stream?: string): Promise<any>
  /** Waits until the server has processed all commands sent so far. */
  settled(): Promise<void>
  /** Throws unless the connection closes soon: what closes it is a message, not the next inspection of all listeners. */
  closes(): Promise<{ code: number; reason: string }>
  end(): void
}

export type ListenOptions = {
  token?: string
  streams?: (string | Record<string, string>)[]
  query?: string
  headers?: Record<string, string>
  protocols?: string[]
  /** Options of the socket, such as trusted certificates. */
  connection?: ClientOptions & { lookup?: LookupFunction }
}

const DEADLINE = 60_000

/** Shorter than the time between the inspections of the listeners. */
const SOON = 20_000

/** Opens a WebSocket and subscribes to streams. */
export async function listen(
  server: Pick<TestServer, 'url'>,
  { token, streams = [], query = '', headers = {}, protocols = [], connection = {} }: ListenOptions,
): Promise<Listening> {
  const authorization = token ? { authorization: `Bearer ${token}` } : {}
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/streaming${query}`, protocols, {
    ...connection,
    headers: { ...authorization, ...headers } as Record<string, string>,
  })
  const frames: Frame[] = []
  const given = new Set<Frame>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame)
    socket.emit('frame')
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await once(socket, 'open')

  const next: Listening['next'] = async (fits) => {
    const deadline = AbortSignal.timeout(DEADLINE)
    for (;;) {
      const found = frames.find((frame) => !given.has(frame) && fits(frame))
      if (found) {
        given.add(found)
        return found
      }
      await once(socket, 'frame', { signal: deadline }).catch(() => {
        throw new Error(`expected frame did not arrive; received: ${JSON.stringify(frames).slice(0, 1500)}`)
      })
    }
  }
  let asked = 0
  const listening: Listening = {
    socket,
    frames,
    tell: (command) => socket.send(JSON.stringify(command)),
    next,
    async event(name, stream) {
      const { payload } = await next(
        (frame) => frame.event === name && (stream === undefined || frame.stream?.join(':') === stream),
      )
      return payload === undefined ? undefined : JSON.parse(payload)
    },
    async settled() {
      // The server processes commands in order and answers an unknown stream with an error.
      const stream = `no-such-stream-${asked++}`
      listening.tell({ type: 'subscribe', stream })
      await next((frame) => frame.error === 'Unknown stream type')
    },
    async closes() {
      const end = await Promise.race([closed, setTimeout(SOON, null, { ref: false })])
      if (!end) throw new Error('the connection stayed open')
      return end
    },
    end: () => socket.close(),
  }
  for (const stream of streams)
    listening.tell({ type: 'subscribe', ...(typeof stream === 'string' ? { stream } : stream) })
  if (streams.length > 0) await listening.settled()
  return listening
}

/** Opens a WebSocket and returns the response with which the server refuses it. */
export async function refused(
  server: Pick<TestServer, 'url'>,
  path: string,
  options: { headers?: Record<string, string>; protocols?: string[] } = {},
): Promise<{ status: number; json: any }> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, options.protocols ?? [], {
    headers: options.headers ?? {},
  })
  return new Promise((resolve, reject) => {
    socket.on('error', () => {})
    socket.once('open', () => reject(new Error('the handshake was accepted')))
    socket.once('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }))
    })
  })
}
