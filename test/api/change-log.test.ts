// Reads come from memory, and follow what any other connection to the database commits. `freshness.test.ts` has the kinds of
// changes; this is about when they commit.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openBackend, type Sql } from '../support/internals.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const other = await server.database.dedicated()
const another = await server.database.dedicated()
after(() => Promise.all([other.end(), another.end()]))

const favourites = async (id: string): Promise<number> => (await bob.get(`/api/v1/statuses/${id}`)).favourites_count
const setFavourites = `insert into status_stats (status_id, favourites_count) values ($1, $2)
  on conflict (status_id) do update set favourites_count = excluded.favourites_count`

test('a change shows once it is committed, also when it began before other changes', async () => {
  const id = await post(ada, 'slow change')
  assert.equal(await favourites(id), 0)
  await other.query('begin')
  await other.query(setFavourites, [id, 7])
  assert.equal(await favourites(id), 0, 'not before the commit')
  // Later transactions end first, and this server reads them.
  await another.query("update accounts set display_name = 'Ada the late' where id = $1", [ada.id])
  assert.equal((await bob.get(`/api/v1/statuses/${id}`)).account.display_name, 'Ada the late')
  assert.equal(await favourites(id), 0)
  await other.query('commit')
  assert.equal(await favourites(id), 7)
})

test('a change that is rolled back never shows', async () => {
  const id = await post(ada, 'undone change')
  assert.equal(await favourites(id), 0)
  await other.query('begin')
  await other.query(setFavourites, [id, 3])
  assert.equal(await favourites(id), 0)
  await other.query('rollback')
  assert.equal(await favourites(id), 0)
  await other.query(setFavourites, [id, 4])
  assert.equal(await favourites(id), 4)
})

test('changes inside a savepoint count as their transaction', async () => {
  const id = await post(ada, 'savepoint')
  assert.equal(await favourites(id), 0)
  await other.query('begin')
  await other.query('savepoint inner_part')
  await other.query(setFavourites, [id, 5])
  await other.query('release savepoint inner_part')
  assert.equal(await favourites(id), 0)
  await other.query('commit')
  assert.equal(await favourites(id), 5)
})

test('a change shows that a crash of PostgreSQL took out of the log before it was read', async () => {
  const id = await post(ada, 'crash')
  assert.equal(await favourites(id), 0)
  await other.query('begin')
  await other.query(setFavourites, [id, 6])
  // As recovery does with unlogged tables.
  await other.query('truncate changes')
  await other.query('commit')
  assert.equal(await favourites(id), 6)
  await other.query(setFavourites, [id, 8])
  assert.equal(await favourites(id), 8)
})

test('one statement that changes very many rows is noted as one change of everything', async () => {
  const id = await post(ada, 'bulk')
  assert.equal(await favourites(id), 0)
  await other.query('begin')
  await other.query(
    `with old as (
      insert into statuses (id, account_id, content, visibility, local, created_at)
      select g, $1, '', 'direct', true, now() from generate_series(1, 1500) g returning id)
    insert into status_stats (status_id) select id from old on conflict do nothing`,
    [ada.id],
  )
  await other.query(setFavourites, [id, 1])
  await other.query('update status_stats set favourites_count = 2 where status_id = $1 or status_id <= 1500', [id])
  const { rows } = await other.query(
    "select count(*)::int as n from changes where ids is null and kind = 'status-count'",
  )
  assert.ok(rows[0].n >= 1)
  await other.query('commit')
  assert.equal(await favourites(id), 2)
  await other.query('delete from statuses where id <= 1500')
})

test('after more changes than a look reads one by one, caches start again', async () => {
  const id = await post(ada, 'many changes')
  assert.equal(await favourites(id), 0)
  // Enough of other changes that the last one is beyond what a look reads.
  await other.query("insert into changes (kind, ids) select 'account', array[-g] from generate_series(1, 12000) g")
  await other.query(setFavourites, [id, 3])
  assert.equal(await favourites(id), 3)
  await other.query(setFavourites, [id, 4])
  assert.equal(await favourites(id), 4)
})

test('readers and a writer at once: each read that starts after a commit shows it', async () => {
  const id = await post(ada, 'hammered')
  let committed = 0
  let isOver = false
  const read = async (): Promise<void> => {
    while (!isOver) {
      const before = committed
      const seen = await favourites(id)
      assert.ok(seen >= before, `read ${seen} after ${before} was committed`)
    }
  }
  const readers = Promise.all(Array.from({ length: 8 }, read))
  for (let n = 1; n <= 60; n++) {
    await other.query(setFavourites, [id, n])
    committed = n
  }
  isOver = true
  await readers
})

test('a deleted status is gone at once, also when the database deletes it', async () => {
  const id = await post(ada, 'deleted elsewhere')
  assert.equal(await favourites(id), 0)
  await other.query('delete from statuses where id = $1', [id])
  assert.equal((await bob.send('GET', `/api/v1/statuses/${id}`)).status, 404)
})

/** Connections that listen to the bus or to the queue. */
async function listeners(): Promise<number> {
  const { rows } = await other.query(`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (query ilike 'listen %' or query like '%pg_notify%')`)
  return rows[0].n
}

test('a process that ends while it looks at new settings closes its connections after the look', async () => {
  const before = await listeners()
  const backend = await openBackend(server.ctx.config, 'command')
  const { readChangeLog, close } = backend.database
  const { stop } = backend.queue
  const order: string[] = []
  const lookAllowed = Promise.withResolvers<void>()
  mock.method(backend.database, 'readChangeLog', async (statement: Sql) => {
    await lookAllowed.promise
    return readChangeLog(statement).finally(() => order.push('looked'))
  })
  mock.method(backend.queue, 'stop', () => {
    order.push('stopped')
    return stop.call(backend.queue)
  })
  mock.method(backend.database, 'close', () => {
    order.push('closed')
    return close()
  })
  backend.ctx.publish({ type: 'settings.changed' })
  const closing = backend.close()
  await eventually(async () => (await listeners()) === before)
  lookAllowed.resolve()
  await closing
  assert.deepEqual(order, ['looked', 'stopped', 'closed'])
})
