import { connect, type Socket } from 'node:net'

export type Target = { port: number; host: string }
export type Call = { method: string; path: string; token?: string; body?: string }
export type LoopResult = { answers: number; errors: number; seconds: number; p50: number; p99: number }

export function requestBytes({ host }: Target, { method, path, token, body }: Call): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (token) lines.push(`authorization: Bearer ${token}`)
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/**
 * Keeps `connections` connections busy for `seconds`. Each sends its next request when the response is complete. The client does
 * as little as possible, as it shares two cores with the server that it measures.
 */
export async function loop(
  target: Target,
  next: () => Buffer,
  options: { connections: number; seconds: number },
): Promise<LoopResult> {
  const times: number[] = []
  let errors = 0
  const start = performance.now()
  const end = start + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      drive(target, next, end, (ms, good) => {
        times.push(ms)
        if (!good) errors++
      }),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  const sorted = Float64Array.from(times).toSorted()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { answers: times.length, errors, seconds, p50: at(0.5), p99: at(0.99) }
}

export function once(target: Target, request: Buffer): Promise<{ head: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, '127.0.0.1')
    const reader = answerReader((head, body) => {
      socket.destroy()
      resolve({ head, body })
    })
    socket.on('data', reader).on('error', reject)
    socket.write(request)
  })
}

function drive(
  target: Target,
  next: () => Buffer,
  end: number,
  done: (ms: number, good: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(target.port, '127.0.0.1')
    let sent = 0
    const send = (): void => {
      sent = performance.now()
      socket.write(next())
    }
    const reader = answerReader((head) => {
      const now = performance.now()
      done(now - sent, head.startsWith('HTTP/1.1 2'))
      if (now < end) send()
      else {
        socket.destroy()
        resolve()
      }
    })
    socket.setNoDelay(true).on('connect', send).on('data', reader).on('error', reject)
  })
}

/** Splits a stream into responses by their Content-Length. */
function answerReader(onAnswer: (head: string, body: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0)
  return (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    for (;;) {
      const split = waiting.indexOf('\r\n\r\n')
      if (split < 0) return
      const head = waiting.toString('latin1', 0, split)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (waiting.length < split + 4 + length) return
      const body = waiting.subarray(split + 4, split + 4 + length)
      waiting = waiting.subarray(split + 4 + length)
      onAnswer(head, body)
    }
  }
}
