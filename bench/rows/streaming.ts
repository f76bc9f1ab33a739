import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../lib/bench.ts'
import type { User } from '../lib/community.ts'
import { send, type Target } from '../lib/http.ts'
import { quantile } from '../lib/numbers.ts'
import type { Row } from '../lib/row.ts'
import { settle } from '../lib/server.ts'

const SOCKETS = 500
const AT_ONCE = 20
const POSTS = 20
/** Milliseconds between posts, and until the last event must have arrived. */
const PAUSE = 250
const LIMIT = 5000

type Streamed = { p50: number; p95: number; missing: number }

/** 500 WebSockets on the home streams of 19 followers. Measures from the request that posts to each event. */
async function measureStreaming(bench: Bench): Promise<Streamed> {
  const { server, users } = await bench.world()
  const [author, ...followers] = users as [User, ...User[]]
  const times: number[] = []
  let post = { marker: '', begin: 0 }
  const onData = (chunk: Buffer): void => {
    if (post.marker && chunk.includes(post.marker)) times.push(performance.now() - post.begin)
  }
  const sockets: Socket[] = []
  try {
    while (sockets.length < SOCKETS) {
      const opening = Array.from({ length: AT_ONCE }, (_, i) =>
        openStream(server.target, followers[(sockets.length + i) % followers.length] as User, onData),
      )
      sockets.push(...(await Promise.all(opening)))
    }
    await settle(server.pid)
    for (let i = 0; i < POSTS; i++) {
      post = { marker: `marker${i}-${Date.now()}`, begin: performance.now() }
      const body = { status: post.marker }
      await send(server.target, { method: 'POST', path: '/api/v1/statuses', token: author.token, body })
      for (const until = performance.now() + LIMIT; times.length < (i + 1) * SOCKETS; await delay(10))
        if (performance.now() > until) break
      await delay(PAUSE)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), missing: POSTS * SOCKETS - times.length }
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
      const { p50, missing } = await bench.shared(measureStreaming)
      return { value: p50, errors: missing }
    },
  },
  {
    name: 'streaming_p95',
    title: `an event reaches ${SOCKETS} sockets, p95`,
    unit: 'ms',
    target: 15,
    async measure(bench) {
      const { p95, missing } = await bench.shared(measureStreaming)
      return { value: p95, errors: missing }
    },
  },
]
