import { deliverActivity } from '../../src/federation/outgoing/deliver.ts'
import type { TestServer } from './server.ts'

/**
 * Makes the delayed jobs of this kind due at once. `table` and `column` name a row with the same time, which is moved as
 * well.
 */
export async function bringForward(
  server: TestServer,
  job: 'federation.deliver' | 'polls.close' | 'polls.tell' | 'statuses.mentions' | 'statuses.publish',
  rows: { table: 'polls' | 'scheduled_statuses'; column: 'expires_at' | 'scheduled_at'; id: string } | null = null,
): Promise<void> {
  if (rows)
    await server.database.raw(`update ${rows.table} set ${rows.column} = now() - interval '1 second' where id = $1`, [
      rows.id,
    ])
  await server.database.raw(
    `update pgboss.job set start_after = now() - interval '1 second' where name = $1 and state = 'created'`,
    [job],
  )
  // Workers poll only now and then; this notification wakes them, as that of a new job does.
  await server.database.raw(`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), $1)`, [job])
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
  for (const { data } of rows) await deliverActivity(server.ctx, data)
}
