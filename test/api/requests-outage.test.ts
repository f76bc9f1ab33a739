import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { sql } from '../support/database.ts'
import { logLines } from '../support/log-lines.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'], env: { LOG_LEVEL: 'error' } })

after(() => server.ctx.db.run(sql`drop trigger if exists refuse on statuses`))

/** Lets the database refuse each new status with an SQLSTATE. */
async function refuseWith(code: string): Promise<void> {
  await server.ctx.db.run(sql`drop trigger if exists refuse on statuses`)
  await server.database.raw(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
  await server.ctx.db.run(sql`create trigger refuse before insert on statuses execute function refuse()`)
}

test('an outage is logged in full once a minute, with a count, and every other error each time', async () => {
  server.expectErrors(/no/)
  const lines = logLines(server)
  const post = async (): Promise<number> =>
    (await ada.send('POST', '/api/v1/statuses', { json: { status: 'a' } })).status
  const failures = (): { err: { stack: string }; repeated?: number }[] =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request.failed')
  // Back in time: ids that are made in a later time would stay there, as they always increase.
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 61_000 })
  after(() => mock.timers.reset())
  // The disk is full.
  await refuseWith('53100')
  for (let n = 0; n < 5; n++) assert.equal(await post(), 503)
  assert.equal(failures().length, 1)
  assert.match(failures()[0]?.err.stack ?? '', /at /)
  // The memory is used up.
  await refuseWith('53200')
  assert.equal(await post(), 503)
  assert.equal(failures().length, 2)
  // A lock was not free within the time limit of the role.
  await refuseWith('55P03')
  assert.equal(await post(), 503)
  assert.equal(failures().length, 3)
  await refuseWith('XX000')
  for (let n = 0; n < 2; n++) assert.equal(await post(), 500)
  assert.equal(failures().length, 5)
  await refuseWith('53100')
  mock.timers.reset()
  assert.equal(await post(), 503)
  assert.deepEqual(
    failures().map(({ repeated }) => repeated),
    [undefined, undefined, undefined, undefined, undefined, 4],
  )
})
