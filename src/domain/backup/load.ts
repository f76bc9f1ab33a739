import type pg from 'pg'
import { copyIn } from '../../db/copy.ts'
import { BackupError } from './format.ts'
import { copyInStatement, type TableShape } from './tables.ts'

export type TableLoader = {
  /** Resolves when the database has taken the data. */
  part(table: string, data: Buffer): Promise<void>
  /** Ends the current table. */
  end(): Promise<void>
}

type Loading = { table: string; pipe: Pipe; done: Promise<void> }

/** Sends all parts of a table, which follow each other in an archive, to one COPY. */
export function tableLoader(client: pg.Client, shapes: readonly TableShape[]): TableLoader {
  let current: Loading | null = null
  const end = async (): Promise<void> => {
    const ending = current
    current = null
    ending?.pipe.close()
    await ending?.done
  }
  const begin = (table: string): Loading => {
    const shape = shapes.find(({ name }) => name === table)
    if (!shape) throw new BackupError({ reason: 'damaged', member: table })
    const pipe = new Pipe()
    return { table, pipe, done: copyIn(client, copyInStatement(shape), pipe.read()) }
  }
  return {
    async part(table, data) {
      if (current?.table !== table) {
        await end()
        current = begin(table)
      }
      // Ends early only when the database refuses a row.
      await Promise.race([current.pipe.write(data), current.done])
    },
    end,
  }
}

/** Hands one buffer at a time from a writer to a reader. */
class Pipe {
  #waiting: { data: Buffer; taken: () => void } | null = null
  #wake: () => void = () => {}
  #closed = false

  write(data: Buffer): Promise<void> {
    return new Promise((taken) => {
      this.#waiting = { data, taken }
      this.#wake()
    })
  }

  close(): void {
    this.#closed = true
    this.#wake()
  }

  async *read(): AsyncGenerator<Buffer> {
    for (;;) {
      const waiting = this.#waiting
      this.#waiting = null
      if (waiting) {
        yield waiting.data
        waiting.taken()
      } else if (this.#closed) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
