// A small HTTP/1.1 client on a socket: the generator of the load shares two cores with the server that it measures.
import { connect, type Socket } from 'node:net'

export type Target = { port: number; host: string }
/** `body`: an object is sent as JSON, bytes as `type`. */
export type Call = {
  method: string
  path: string
  token?: string
  body?: object
  type?: string
  headers?: Record<string, string>
}
export type Answer = { status: number; head: string; body: Buffer }

/** Milliseconds after which a request counts as failed. */
const LIMIT = 30_000

export function requestBytes({ host }: Target, { method, path, token, body, type, headers = {} }: Call): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (token) lines.push(`authorization: Bearer ${token}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  if (bytes) lines.push(`content-type: ${type ?? 'application/json'}`, `content-length: ${bytes.length}`)
  else if (method !== 'GET') lines.push('content-length: 0')
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return bytes ? Buffer.concat([head, bytes]) : head
}

/** A connection that stays open between requests and has one under way at a time. */
export class Connection {
  readonly #target: Target
  #socket: Socket | null = null
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null
  #parts: Buffer[] = []
  #received = 0
  /** Bytes of the whole response; 0 until its head is complete. */
  #expected = 0
  #head = ''
  #headLength = 0

  constructor(target: Target) {
    this.#target = target
  }

  /** Rejects when the connection breaks, or after 30 seconds. */
  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket ??= this.#open()
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    const socket = connect(this.#target.port, '127.0.0.1')
    const fail = (error: Error): void => {
      if (this.#socket !== socket) return
      this.close()
      this.#reset()
      this.#waiting?.reject(error)
      this.#waiting = null
    }
    socket.setNoDelay(true).setTimeout(LIMIT, () => fail(new Error('timeout')))
    socket.on('data', (chunk) => this.#read(chunk as Buffer))
    socket.on('error', fail).on('close', () => fail(new Error('connection closed')))
    return socket
  }

  #reset(): void {
    this.#parts = []
    this.#received = this.#expected = 0
  }

  #read(chunk: Buffer): void {
    this.#parts.push(chunk)
    this.#received += chunk.length
    if (this.#expected === 0) this.#readHead()
    if (this.#expected === 0 || this.#received < this.#expected) return
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
    const answer = { status: Number(this.#head.slice(9, 12)), head: this.#head, body: bytes.subarray(this.#headLength) }
    this.#reset()
    if (/\r\nconnection: close/i.test(this.#head)) this.close()
    this.#waiting?.resolve(answer)
  }

  #readHead(): void {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return
    this.#head = bytes.toString('latin1', 0, end)
    this.#headLength = end + 4
    if (/\r\ntransfer-encoding:/i.test(this.#head)) throw new Error(`a response without length: ${this.#head}`)
    this.#expected = this.#headLength + Number(/\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0)
  }
}

/** Sends one request on a connection of its own. */
export async function once(target: Target, call: Call): Promise<Answer> {
  const connection = new Connection(target)
  try {
    return await connection.send(requestBytes(target, call))
  } finally {
    connection.close()
  }
}

/** Returns the JSON of a response. Throws unless its status is 2xx. */
export async function send<T>(target: Target, call: Call): Promise<T> {
  const { status, body } = await once(target, call)
  if (status < 200 || status > 299)
    throw new Error(`${call.method} ${call.path}: ${status} ${body.toString().slice(0, 300)}`)
  return JSON.parse(body.toString() || 'null') as T
}
