import { openBackend } from '../src/backend.ts'
import { readConfig } from '../src/config.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { createUser } from '../src/domain/auth/users.ts'
import { readArguments } from './lib/arguments.ts'
import { temporaryFolder } from './lib/folders.ts'
import { median, readable } from './lib/numbers.ts'

const HELP = `Measures what the change log costs: a trigger for each kind of write, beside the checks of foreign keys of the same
statement, and a look at the log, beside the smallest statement. It creates an embedded database of its own.

Usage: node scripts/run.js bench/change-log.ts`

const ROUNDS = 9
const ROWS = 500
const LOOKS = 1000
const AT_ONCE = 16

readArguments(HELP, {})
const config = readConfig({ DATA_DIR: temporaryFolder(), PORT: '3998', LOG_LEVEL: 'error' })
const { ctx, database, close } = await openBackend(config, 'server')

type Trigger = { 'Trigger Name': string; 'Constraint Name'?: string; Time: number; Calls: number }

/** Microseconds per call of the triggers of the log, and of a check of a foreign key. Null: the statement has none. */
async function triggersOf(statement: Sql): Promise<{ log: number; check: number | null }> {
  const [row] = await ctx.db.many<{ 'QUERY PLAN': [{ Triggers: Trigger[] }] }>(
    sql`explain (analyze, format json) ${statement}`,
  )
  const { Triggers: all = [] } = row?.['QUERY PLAN'][0] ?? {}
  const timeOf = (some: Trigger[]): number =>
    (some.reduce((sum, { Time }) => sum + Time, 0) * 1000) / some.reduce((sum, { Calls }) => sum + Calls, 0)
  const checks = all.filter((each) => each['Constraint Name'] !== undefined)
  const notes = all.filter((each) => each['Trigger Name'].startsWith('note_'))
  return { log: timeOf(notes), check: checks.length > 0 ? timeOf(checks) : null }
}

/** Microseconds of each call, one after the other. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < LOOKS; i++) await call()
  return ((performance.now() - start) * 1000) / LOOKS
}

const line = (name: string, ...values: string[]): void =>
  console.log(name.padEnd(44) + values.map((value) => value.padStart(12)).join(''))

try {
  const user = { username: 'ada', email: 'ada@localhost', password: '', passwordHash: 'x', confirmed: true }
  const { accountId } = await createUser(ctx, user)
  await ctx.db.run(sql`insert into statuses (id, account_id, content, visibility, local, created_at)
    select g, ${accountId}, '', 'public', true, now() from generate_series(1, ${ROWS}::int) g`)
  const insert = sql`insert into favourites (account_id, status_id) select ${accountId}::bigint, id from statuses where id <= ${ROWS}`
  const [inserts, removals]: { log: number; check: number | null }[][] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    inserts?.push(await triggersOf(insert))
    removals?.push(await triggersOf(sql`delete from favourites where account_id = ${accountId}`))
  }
  const check = median((inserts ?? []).map((each) => each.check ?? 0))
  const perRow = median((inserts ?? []).map(({ log }) => log))
  const perStatement = median((removals ?? []).map(({ log }) => log))
  line('a trigger', 'µs', 'ratio')
  line('check of a foreign key, per row', readable(check), '1.00')
  line('note of an inserted row', readable(perRow), (perRow / check).toFixed(2))
  line(`note of a statement that deletes ${ROWS} rows`, readable(perStatement), (perStatement / check).toFixed(2))

  const looks: number[][] = [[], [], []]
  for (let round = 0; round < 4; round++) {
    looks[0]?.push(await timeOf(() => database.readChangeLog(sql`select 1`)))
    looks[1]?.push(await timeOf(() => ctx.changes.catchUp()))
    const together = (): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, () => ctx.changes.catchUp()))
    looks[2]?.push((await timeOf(together)) / AT_ONCE)
  }
  const [one = 0, look = 0, shared = 0] = looks.map(median)
  line('\na look at the log', 'µs', 'ratio')
  line('select 1', readable(one), '1.00')
  line('a look', readable(look), (look / one).toFixed(2))
  line(`a look, ${AT_ONCE} at once, each`, readable(shared), (shared / one).toFixed(2))
} finally {
  await close()
}
process.exit()
