import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { PUBLIC } from '../support/peer.ts'
import { stage } from '../support/stage.ts'

// Activities that arrive together are stored, and processed, in batches.

const { server, ada, peer } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')

const note = (content: string, more: { tags?: object[]; inReplyTo?: string; attachment?: object } = {}): any => {
  const { tags = [], ...rest } = more
  const tag = [{ type: 'Mention', href: adaUri, name: '@ada' }, ...tags]
  return peer.create(eve, { content, to: [PUBLIC, adaUri], tag, ...rest })
}

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

test('an activity whose id another process has used gets another one', async () => {
  await server.database.raw(`
    create sequence attempts;
    create function reuse() returns trigger language plpgsql as $$
    begin
      if nextval('attempts') = 1 then new.id := (select min(id) from inbox_activities); end if;
      return new;
    end $$;
    create trigger reuse before insert on inbox_activities for each row execute function reuse();`)
  try {
    await send([note('id taken')])
    const { rows } = await server.database.raw('select last_value::int as attempts from attempts')
    assert.deepEqual(rows, [{ attempts: 2 }])
  } finally {
    await server.database.raw('drop trigger reuse on inbox_activities; drop function reuse; drop sequence attempts;')
  }
  await server.drain()
  assert.deepEqual(await processed('id taken'), ['id taken'])
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

test('notes with different parts that share a transaction are stored and counted completely', async () => {
  const hashtag = (name: string): object => ({ type: 'Hashtag', name: `#${name}`, href: `${peer.url}/tags/${name}` })
  const rook = note('parts: rook', { tags: [hashtag('rook')] })
  const attachment = { type: 'Document', mediaType: 'image/png', url: `${peer.url}/one.png` }
  const count = async (): Promise<number> => {
    const { rows } = await server.database.raw(
      `
      select statuses_count from account_stats where account_id = (select id from accounts where uri = $1)`,
      [eve.uri],
    )
    return rows[0].statuses_count
  }
  const before = await count()
  await whileHeld(() =>
    send([
      rook,
      note('parts: both', { tags: [hashtag('rook'), hashtag('jackdaw')] }),
      note('parts: reply', { inReplyTo: rook.object.id }),
      note('parts: image', { attachment }),
      note('parts: \ud83d'),
    ]),
  )
  const read = async (content: string): Promise<any> => {
    const { rows } = await server.database.raw('select id from statuses where content = $1', [`parts: ${content}`])
    return ada.get(`/api/v1/statuses/${rows[0].id}`)
  }
  const [first, both, reply, image] = await Promise.all(['rook', 'both', 'reply', 'image', '\ufffd'].map(read))
  assert.deepEqual([first.replies_count, reply.in_reply_to_id], [1, first.id])
  assert.deepEqual(both.tags.map(({ name }: any) => name).toSorted(), ['jackdaw', 'rook'])
  assert.equal(image.media_attachments.length, 1)
  assert.equal((await count()) - before, 5)
  const { rows: uses } = await server.database.raw(
    `select t.name, u.uses from tag_uses u join tags t on t.id = u.tag_id where t.name in ('rook', 'jackdaw') order by 1`,
  )
  assert.deepEqual(
    uses.map(({ name, uses }: any) => [name, uses]),
    [
      ['jackdaw', 1],
      ['rook', 2],
    ],
  )
})

/** Gives the next posts and boosts of other servers these random parts of their ids. */
function withRandomParts(t: TestContext, parts: number[]): void {
  const real = crypto.randomInt
  const next = (...args: number[]): number =>
    (args.length === 1 && args[0] === 0x10000 ? parts.shift() : undefined) ?? Reflect.apply(real, crypto, args)
  t.mock.method(crypto, 'randomInt', next as typeof real)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}

test('posts and boosts of one second whose random parts of the id are equal are all stored, with their time', async (t) => {
  const published = new Date(Date.now() - 3600_000).toISOString().replace(/\.\d+Z$/, 'Z')
  const post = (content: string): any => {
    const create = note(content)
    return { ...create, published, object: { ...create.object, published } }
  }
  const targets = await Promise.all(numbers(2).map((i) => ada.post('/api/v1/statuses', { status: `target ${i}` })))
  const boost = ({ uri }: any, i: number): object => ({
    id: `${peer.url}/boosts/${i}`,
    type: 'Announce',
    actor: eve.uri,
    object: uri,
    to: [PUBLIC],
    published,
  })
  // Two of a batch, one that comes later, and two boosts.
  const parts = [7, 7, 8, 7, 8, 9, 7, 10, 7, 10, 11]
  withRandomParts(t, parts)
  await whileHeld(() => send([post('of one second, 1'), post('of one second, 2')]))
  await whileHeld(() => send([post('of one second, 3')]))
  for (const [i, target] of targets.entries()) await whileHeld(() => send([boost(target, i)]))
  assert.deepEqual(parts, [], 'all of these were tried')
  const { rows } = await server.database.raw(
    `select s.created_at, s.id from statuses s join accounts a on a.id = s.account_id where a.uri = $1 and s.created_at = $2 order by id`,
    [eve.uri, published],
  )
  assert.deepEqual(
    rows.map(({ id }: { id: string }) => Number(BigInt(id) & 0xffffn)),
    [7, 8, 9, 10, 11],
  )
  assert.equal((await processed('of one second, %')).length, 3)
  for (const { id } of targets) assert.equal((await ada.get(`/api/v1/statuses/${id}`)).reblogs_count, 1)
})
