// Failures of the database at one statement of the servers in this process.
import pg from 'pg'

type Statement = { text: string; values: unknown[] }
type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown>
/** Returns the result of the statement, or null to send it as it is. */
type Fault = (client: pg.Client, sent: Statement, send: () => Promise<unknown>) => Promise<unknown> | null

/** Returns how to undo it. */
function intercept(fault: Fault): () => void {
  const query = pg.Client.prototype.query as unknown as Query
  const restore = (): void => void (pg.Client.prototype.query = query as unknown as typeof pg.Client.prototype.query)
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given] = args as [string | Partial<Statement>]
    const { text = '', values = [] } = typeof given === 'string' ? { text: given } : given
    return fault(this, { text, values }, () => query.apply(this, args)) ?? query.apply(this, args)
  } as unknown as typeof pg.Client.prototype.query
  return restore
}

const refuse = (client: pg.Client, code: string): Promise<unknown> =>
  client.query(`do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`)

/** PostgreSQL refuses the next statement that contains `text` with this SQLSTATE. */
export function failStatement(text: string, code: string): void {
  const restore = intercept((client, sent) => {
    if (!sent.text.includes(text)) return null
    restore()
    return refuse(client, code)
  })
}

/**
 * The connection breaks once PostgreSQL has carried out the next statement for which `isMeant` is true: within a transaction, once
 * it has committed. The server never receives the answer. Returns whether that has happened.
 */
export function loseAnswer(isMeant: (text: string, values: string) => boolean): () => boolean {
  let broken: pg.Client | null = null
  let hasBroken = false
  const inTransaction = new WeakSet<pg.Client>()
  const restore = intercept((client, { text, values }, send) => {
    if (text === 'begin') inTransaction.add(client)
    if (broken === null && isMeant(text, JSON.stringify(values))) broken = client
    if (client !== broken || (inTransaction.has(client) && text !== 'commit')) return null
    restore()
    return send().then(() => {
      hasBroken = true
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      throw new Error('the connection broke')
    })
  })
  return () => hasBroken
}

const IS_WRITE = /^commit$|\b(?:insert|update|delete)\b/i
/** When a token and its user were last active, which no request waits for. */
const IS_NOTE = /last_used_at = now|last_active_at = now/

/**
 * PostgreSQL refuses the write or commit with this number, from 1 on, as when a lock is not free in time. `end` stops that, and
 * returns the refused statement. Nothing else may use the database meanwhile.
 */
export function failWrite(number: number): { end(): string } {
  let [count, refused] = [0, '']
  const restore = intercept((client, { text }) => {
    if (!IS_WRITE.test(text) || IS_NOTE.test(text) || ++count !== number) return null
    refused = text
    return refuse(client, '55P03')
  })
  return { end: () => (restore(), refused) }
}
