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

/** PostgreSQL refuses the next statement that contains `text` with this SQLSTATE. */
export function failStatement(text: string, code: string): void {
  const restore = intercept((client, sent) => {
    if (!sent.text.includes(text)) return null
    restore()
    return client.query(`do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`)
  })
}
