import { deliverActivity } from '../../src/federation/outgoing/deliver.ts'
import type { TestServer } from './server.ts'

/**
 * Makes the delayed jobs of this kind due at once. `table` and `column` name a row with the same time, which is moved as
 * well.
 */
export async function bringForward(
  server: TestServer,
  job:
    | 'accounts.erase'
    | 'accounts.verify-links'
    | 'federation.deliver'
    | 'email-subscriptions.mail'
    | 'email-subscriptions.send'
    | 'fanout.merge'
    | 'files.delete'
    | 'mail.send'
    | 'polls.close'
    | 'polls.tell'
    | 'portability.archive'
    | 'statuses.mentions'
    | 'statuses.publish',
  rows: { table: 'polls' | 'scheduled_statuses'; column: 'expires_at' | 'scheduled_at'; id: string } | null = null,
): Promise<void> {
  if (rows)
    await server.database.raw(`update ${rows.table} set ${rows.column} = now() - interval '1 second' where id = $1`, [
      rows.id,
    ])
  await server.database.raw(
    `update pgboss.job set start_after = now() - interval '1 second' where name = $1 and state in ('created', 'retry')`,
    [job],
  )
  await wake(server, job)
}

/** Workers poll only now and then; this notification wakes them, as that of a new job does. */
const wake = (server: TestServer, job: string): Promise<unknown> =>
  server.database.raw(`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), $1)`, [job])

/**
 * Runs the jobs that send requests to other servers after a delay, which may be a random one, and those that they enqueue,
 * until none is left. For tests of what causes no request.
 */
export async function runDelayedJobs(server: TestServer): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await server.drain()
    const { rows } = await server.database.raw(`
      with due as (update pgboss.job set start_after = now() - interval '1 second'
        where state in ('created', 'retry') and start_after > now() and name ~ '^(federation|media|cards|accounts|polls)' returning name)
      select distinct name from due`)
    if (rows.length === 0) return
    for (const { name } of rows) await wake(server, name)
  }
}

/** Waits until the notifications are sent. */
export async function endPoll(server: TestServer, id: string): Promise<void> {
  await bringForward(server, 'polls.close', { table: 'polls', column: 'expires_at', id })
  await server.drain()
}

/** Waits until the post is published. */
export async function publishNow(server: TestServer, id: string): Promise<void> {
  await bringForward(server, 'statuses.publish', { table: 'scheduled_statuses', column: 'scheduled_at', id })
  await server.drain()
}

export async function clearFailures(server: TestServer): Promise<void> {
  await server.database.raw(`update peers set failing_since = null, retry_at = null`)
}

/** In the order in which they were enqueued. */
export async function retryDeliveries(server: TestServer): Promise<void> {
  await clearFailures(server)
  const { rows } = await server.database.raw(
    `select data from pgboss.job where name = 'federation.deliver' and state in ('created', 'retry') order by created_on`,
  )
  await server.database.raw(
    `update pgboss.job set state = 'cancelled' where name = 'federation.deliver' and state = 'retry'`,
  )
  await server.ctx.changes.catchUp()
  for (const { data } of rows) await deliverActivity(server.ctx, data, { isLastAttempt: false })
}
