// COPY as streams: the only way to move whole tables in and out of PostgreSQL with little memory.
import { PassThrough, type Duplex, type Readable } from 'node:stream'
import pg from 'pg'

/** Members of `pg.Query` and its connection that the types leave out. */
type CopyConnection = {
  stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const BUFFER_BYTES = 1024 * 1024

class CopyOut extends pg.Query {
  readonly output = new PassThrough({ highWaterMark: BUFFER_BYTES })

  #resume: (() => void) | null = null

  constructor(statement: string) {
    super(statement)
    // A reader that gives up must not stop the connection.
    this.output.on('drain', () => this.#goOn()).on('close', () => this.#goOn())
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: CopyConnection): void {
    // A copy, as the parser uses its buffer again for what comes next.
    if (this.output.destroyed || this.output.write(Buffer.from(chunk)) || this.#resume) return
    stream.pause()
    this.#resume = () => stream.resume()
  }

  #goOn(): void {
    this.#resume?.()
    this.#resume = null
  }
}

/** The rows that `copy … to stdout` returns. Read the stream to its end before the next statement of this connection. */
export function copyOut(client: pg.Client, statement: string): Readable {
  const query = new CopyOut(statement)
  query.on('error', (error) => query.output.destroy(error)).on('end', () => query.output.end())
  client.query(query)
  return query.output
}

class CopyIn extends pg.Query {
  readonly #source: AsyncIterable<Buffer>
  /** Why the source could not be read. */
  failure: unknown
  #ended = false

  constructor(statement: string, source: AsyncIterable<Buffer>) {
    super(statement)
    this.#source = source
    this.on('error', () => (this.#ended = true))
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection)
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection
    try {
      for await (const chunk of this.#source) {
        if (this.#ended || stream.destroyed) return
        connection.sendCopyFromChunk(chunk)
        if (stream.writableNeedDrain) await drained(stream)
      }
      connection.endCopyFrom()
    } catch (error) {
      this.failure = error
      connection.sendCopyFail('the source ended early')
    }
  }
}

/** Also ends when the connection is lost. */
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

/** Sends `source` to `copy … from stdin`. Throws the error of the source, or that of the database. */
export async function copyIn(client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<void> {
  const query = new CopyIn(statement, source)
  const done = new Promise<void>((resolve, reject) => {
    query.on('error', reject).on('end', () => resolve())
  })
  client.query(query)
  try {
    await done
  } catch (error) {
    throw query.failure ?? error
  }
}
