import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC } from '../support/peer.ts'
import { stage } from '../support/stage.ts'

// Activities that arrive together are stored, and processed, in batches.

const { server, ada, peer } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')

const note = (content: string): any =>
  peer.create(eve, { content, to: [PUBLIC, adaUri], tag: [{ type: 'Mention', href: adaUri, name: '@ada' }] })

async function send(activities: object[]): Promise<void> {
  const statuses = await Promise.all(activities.map((each: any) => peer.send(server, eve, each)))
  assert.ok(statuses.every((status) => status === 202))
}

/** Contents, first processed first. */
async function processed(like: string): Promise<string[]> {
  const { rows } = await server.database.raw('select content from statuses where content like $1 order by fetched_at', [
    like,
  ])
  return rows.map(({ content }: { content: string }) => content)
}

/** Holds all processing up, but not the inbox. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const client = await server.database.dedicated()
  try {
    await client.query('begin; lock table statuses in share mode')
    await work()
  } finally {
    await client.end()
  }
  await server.drain()
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

test('an activity that cannot be stored fails no other, and is retried', async () => {
  await server.database.raw(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on statuses for each row when (new.content = 'poison') execute function refuse();`)
  try {
    await whileHeld(() => send([...numbers(5).map((i) => note(`sound ${i}`)), note('poison')]))
  } finally {
    await server.database.raw('drop trigger refuse on statuses; drop function refuse;')
  }
  assert.equal((await processed('sound %')).length, 5)
  const { rows } = await server.database.raw(`
    select j.id from pgboss.job j join inbox_activities i on i.id::text = j.data ->> 'id'
    where j.name = 'federation.receive' and j.state in ('created', 'retry') and i.body like '%poison%'`)
  assert.equal(rows.length, 1, 'it waits alone')
  await server.database.raw(`update pgboss.job set start_after = now() where id = $1`, [rows[0].id])
  await server.drain()
  assert.deepEqual(await processed('poison'), ['poison'])
})

test('an activity that is sent twice at once is stored once', async () => {
  const create = note('twin')
  await send([create, create, { ...create, id: `${create.id}#other` }])
  await server.drain()
  assert.deepEqual(await processed('twin'), ['twin'])
  const mentions = await ada.get('/api/v1/notifications?types[]=mention&limit=80')
  assert.equal(mentions.filter(({ status }: any) => status.content === 'twin').length, 1)
})

test('what one request after the other says about a post is done in this order', async () => {
  const [deleted, undone] = [note('deleted'), await ada.post('/api/v1/statuses', { status: 'liked' })]
  const like = { id: `${peer.url}/likes/1`, type: 'Like', actor: eve.uri, object: undone.uri }
  await whileHeld(async () => {
    for (const activity of [
      deleted,
      { ...deleted, id: `${deleted.id}/update`, type: 'Update' },
      { id: `${deleted.id}/delete`, type: 'Delete', actor: eve.uri, object: deleted.object.id },
      like,
      { id: `${like.id}/undo`, type: 'Undo', actor: eve.uri, object: like },
    ])
      await send([activity])
  })
  assert.deepEqual(await processed('deleted'), [])
  assert.equal((await ada.get(`/api/v1/statuses/${undone.id}`)).favourites_count, 0)
})
