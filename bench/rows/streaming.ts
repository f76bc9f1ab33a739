import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../lib/bench.ts'
import type { User } from '../lib/community.ts'
import { once, send, type Target } from '../lib/http.ts'
import { quantile } from '../lib/numbers.ts'
import type { Row } from '../lib/row.ts'
import { settle } from '../lib/server.ts'

const SOCKETS = 500
const AT_ONCE = 20
const POSTS = 20
/** Posts before, which are not counted: the first one after a start takes several times as long. */
const WARM_UP = 3
/** Milliseconds between posts, and until the last event must have arrived. */
const PAUSE = 250
const LIMIT = 5000

/** `event`: the bytes of the last one, which contain `marker`. */
type Streamed = { p50: number; p95: number; missing: number; event: Buffer; marker: string }

/** How to open a stream, and how to cause an event that contains a text. */
type Streams = {
  open(i: number, onData: (chunk: Buffer) => void): Promise<Socket>
  post(text: string): Promise<unknown>
}

/** 500 WebSockets on the home streams of 19 followers, and as many on the bare server, which sends them the same bytes. */
async function measureStreaming(bench: Bench): Promise<Streamed & { bare: Streamed }> {
  const { server, users, bare } = await bench.world()
  const [author, ...followers] = users as [User, ...User[]]
  const streamed = await measureEvents(server.pid, {
    open: (i, onData) => openStream(server.target, followers[i % followers.length] as User, onData),
    post: (status) =>
      send(server.target, { method: 'POST', path: '/api/v1/statuses', token: author.token, body: { status } }),
  })
  await bare.answerWith({ status: 200, head: 'HTTP/1.1 200 OK', body: Buffer.from('{}') })
  const sample = streamed.event.toString('latin1')
  return {
    ...streamed,
    bare: await measureEvents(bare.pid, {
      open: (_, onData) => openStream(bare.target, author, onData),
      post(marker) {
        const body = Buffer.from(sample.replaceAll(streamed.marker, marker), 'latin1')
        return once(bare.target, { method: 'POST', path: '/event', body, type: 'application/octet-stream' })
      },
    }),
  }
}

/** From the request that posts to each event, in milliseconds. */
async function measureEvents(pid: number, { open, post }: Streams): Promise<Streamed> {
  const times: number[] = []
  let [marker, begin, event] = ['', 0, Buffer.alloc(0) as Buffer]
  const onData = (chunk: Buffer): void => {
    if (!marker || !chunk.includes(marker)) return
    times.push(performance.now() - begin)
    event = chunk
  }
  const sockets: Socket[] = []
  try {
    while (sockets.length < SOCKETS) {
      const opening = Array.from({ length: AT_ONCE }, (_, i) => open(sockets.length + i, onData))
      sockets.push(...(await Promise.all(opening)))
    }
    await settle(pid)
    for (let i = 0; i < WARM_UP + POSTS; i++) {
      // All have the same length, as the bare server sends frames that the server made.
      ;[marker, begin] = [`marker${i + 10}-${Date.now()}`, performance.now()]
      await post(marker)
      for (const until = performance.now() + LIMIT; times.length < (i + 1) * SOCKETS; await delay(10))
        if (performance.now() > until) break
      await delay(PAUSE)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const missing = (WARM_UP + POSTS) * SOCKETS - times.length
  const counted = times.slice(WARM_UP * SOCKETS)
  return { p50: quantile(counted, 0.5), p95: quantile(counted, 0.95), missing, event, marker }
}

/** Does not decode frames, as the client shares the machine with the server. An event arrives in one piece. */
function openStream({ port, host }: Target, { token }: User, onData: (chunk: Buffer) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const key = randomBytes(16).toString('base64')
    socket.setNoDelay(true).once('error', reject)
    socket.once('data', (chunk) => {
      if (!chunk.toString().startsWith('HTTP/1.1 101')) return reject(new Error(chunk.toString()))
      socket.on('data', onData)
      resolve(socket)
    })
    const path = `/api/v1/streaming?stream=user&access_token=${token}`
    const upgrade = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${key}`,
    ]
    socket.write(`${[`GET ${path} HTTP/1.1`, `host: ${host}`, ...upgrade].join('\r\n')}\r\n\r\n`)
  })
}

export const streaming: Row[] = [
  {
    name: 'streaming_p50',
    title: `an event reaches ${SOCKETS} sockets, p50`,
    unit: 'ms',
    target: null,
    async measure(bench) {
      const { p50, bare, missing } = await bench.shared(measureStreaming)
      return { value: p50, bareRatio: p50 / bare.p50, errors: missing + bare.missing }
    },
  },
  {
    name: 'streaming_p95',
    title: `an event reaches ${SOCKETS} sockets, p95`,
    unit: 'ms',
    target: 15,
    async measure(bench) {
      const { p95, bare, missing } = await bench.shared(measureStreaming)
      return { value: p95, bareRatio: p95 / bare.p95, errors: missing + bare.missing }
    },
  },
]
