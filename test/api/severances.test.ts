// What a domain block or a suspension does to follows, and its undo.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { block, cleanUp, follow, restoreSeverances, startSeverance } from '../support/acts.ts'
import { eventually } from '../support/eventually.ts'
import { distributed } from '../support/remote.ts'
import type { Person } from '../support/server.ts'
import { relationshipWith } from '../support/relationships.ts'
import { stage } from '../support/stage.ts'
import { home, idsOf, post, remoteAuthor, type RemoteAuthor } from '../support/timelines.ts'

const { server } = await stage()

let ada: Person
let bob: Person
let eve: RemoteAuthor
let fay: RemoteAuthor
let domain: string
let listId: string
let round = 0

// Ada and Bob follow Eve, Fay follows Ada and has asked to follow Bob.
beforeEach(async () => {
  domain = `lost${++round}.test`
  ;[ada, bob] = await Promise.all([server.person(`ada${round}`), server.person(`bob${round}`)])
  ;[eve, fay] = await Promise.all([remoteAuthor(server, 'eve', domain), remoteAuthor(server, 'fay', domain)])
  for (const [table, from, to, options] of [
    ['follows', ada.id, eve.id, `false, true, '{de}', null`],
    ['follows', bob.id, eve.id, `true, false, null, null`],
    ['follows', fay.id, ada.id, `true, false, null, 'https://${domain}/follows/1'`],
    ['follow_requests', fay.id, bob.id, `true, false, null, 'https://${domain}/follows/2'`],
  ] as const)
    await server.database.raw(
      `insert into ${table} (account_id, target_account_id, show_reblogs, notify, languages, uri) values ($1, $2, ${options})`,
      [from, to],
    )
  for (const [id, following, followers] of [
    [ada.id, 1, 1],
    [bob.id, 1, 0],
    [eve.id, 0, 2],
    [fay.id, 1, 0],
  ])
    await server.database.raw(
      `insert into account_stats (account_id, following_count, followers_count) values ($1, $2, $3)
      on conflict (account_id) do update set following_count = $2, followers_count = $3`,
      [id, following, followers],
    )
  listId = (await ada.post('/api/v1/lists', { title: 'Far away' })).id
  await ada.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [eve.id] })
  await ada.post(`/api/v1/accounts/${eve.id}/endorse`)
})

const counts = async (id: string): Promise<[number, number]> => {
  const account = await ada.get(`/api/v1/accounts/${id}`)
  return [account.following_count, account.followers_count]
}
const losses = async (who: Person): Promise<any[]> =>
  (await who.get('/api/v1/notifications?types[]=severed_relationships')).map(({ event }: any) => event)
const sever = async (target: Parameters<typeof startSeverance>[1], announced: boolean): Promise<void> => {
  await server.ctx.transaction((tx) => startSeverance(tx, target, { announced }))
  await server.drain()
}
const restore = async (target: Parameters<typeof restoreSeverances>[1]): Promise<number> => {
  const restored = await server.ctx.transaction((tx) => restoreSeverances(tx, target))
  await server.drain()
  return restored
}

test('a domain loses all follows, and gets them back with their options, lists and endorsements', async () => {
  await sever({ type: 'domain_block', domain }, false)
  assert.deepEqual(await counts(ada.id), [0, 0])
  assert.deepEqual(await counts(eve.id), [0, 0])
  assert.equal((await relationshipWith(ada, eve.id)).following, false)
  assert.equal((await relationshipWith(ada, eve.id)).endorsed, false)
  assert.equal((await relationshipWith(bob, fay.id)).requested_by, false)
  assert.deepEqual(await ada.get(`/api/v1/lists/${listId}/accounts`), [])
  const [event] = await losses(ada)
  assert.deepEqual(
    [event.type, event.target_name, event.followers_count, event.following_count, event.purged],
    ['domain_block', domain, 1, 1, false],
  )
  assert.equal((await losses(bob))[0].followers_count, 0, 'requests do not count')
  assert.deepEqual(await distributed(server, ada.id), [], 'nothing is sent to the blocked domain')

  assert.equal(await restore({ domain: 'other.test' }), 0)
  assert.equal(await restore({ domain }), 1)
  assert.equal(await restore({ domain }), 0, 'once is enough')
  const again = await relationshipWith(ada, eve.id)
  assert.deepEqual(
    [again.following, again.showing_reblogs, again.notifying, again.languages, again.endorsed, again.followed_by],
    [true, false, true, ['de'], true, false],
  )
  assert.equal((await relationshipWith(ada, fay.id)).followed_by, true)
  assert.equal((await relationshipWith(bob, fay.id)).requested_by, true)
  assert.deepEqual(await counts(ada.id), [1, 1])
  assert.deepEqual(await counts(eve.id), [0, 2])
  assert.equal((await ada.get(`/api/v1/lists/${listId}/accounts`)).length, 1)
})

test('an undo leaves out pairs that were blocked or followed since, and accounts that are gone', async () => {
  await sever({ type: 'domain_block', domain }, false)
  await block(server.ctx, { accountId: bob.id, targetAccountId: eve.id })
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [fay.id])
  await ada.post(`/api/v1/accounts/${eve.id}/follow`)
  await restore({ domain })
  assert.equal((await relationshipWith(bob, eve.id)).following, false)
  assert.equal((await relationshipWith(ada, eve.id)).requested, true, 'the newer request stays')
  assert.equal((await relationshipWith(ada, eve.id)).following, false)
  assert.deepEqual(await counts(ada.id), [0, 0])
})

test('the end of follows of one account is announced; they are requested again, and its own do not return', async () => {
  const target = { type: 'account_suspension', accountId: eve.id, handle: `eve@${domain}` } as const
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [eve.id])
  await sever(target, true)
  assert.deepEqual(
    (await losses(bob)).map((event) => [event.type, event.target_name, event.following_count]),
    [['account_suspension', `eve@${domain}`, 1]],
  )
  assert.equal((await relationshipWith(ada, fay.id)).followed_by, true, 'other accounts of the domain keep theirs')
  assert.deepEqual(
    (await distributed(server, ada.id)).map(({ activity, undo }) => [activity, undo]),
    [['follow', true]],
  )
  await server.database.raw('update accounts set suspended_at = null where id = $1', [eve.id])
  await restore({ accountId: eve.id })
  assert.equal((await relationshipWith(ada, eve.id)).requested, true)
  assert.equal((await relationshipWith(ada, eve.id)).following, false)
  await sever({ type: 'account_suspension', accountId: fay.id, handle: `fay@${domain}` }, true)
  await restore({ accountId: fay.id })
  assert.equal(
    (await relationshipWith(ada, fay.id)).followed_by,
    false,
    'its server was notified that it no longer follows',
  )
})

test('follows between local accounts are severed and restored too, with home timelines, lists and endorsements', async () => {
  await follow(server.ctx, { accountId: ada.id, targetAccountId: bob.id })
  await follow(server.ctx, { accountId: bob.id, targetAccountId: ada.id })
  await server.drain()
  const list = await bob.post('/api/v1/lists', { title: 'Near' })
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id] })
  await bob.post(`/api/v1/accounts/${ada.id}/endorse`)
  const chosen = (): Promise<string[][]> =>
    Promise.all([idsOf(bob, `/api/v1/lists/${list.id}/accounts`), idsOf(bob, '/api/v1/endorsements')])
  const before = [await post(ada, 'first'), await post(bob, 'second')].toReversed()
  assert.deepEqual([await home(ada), await home(bob)], [before, before])
  await sever({ type: 'account_suspension', accountId: bob.id, handle: `bob${round}` }, true)
  assert.equal((await relationshipWith(ada, bob.id)).following, false)
  assert.equal((await losses(ada))[0].following_count, 1)
  assert.deepEqual([await home(ada), await home(bob)], [before.slice(1), before.slice(0, 1)])
  assert.deepEqual(await chosen(), [[], []])
  const all = [await post(ada, 'third'), ...before]
  await restore({ accountId: bob.id })
  assert.equal((await relationshipWith(ada, bob.id)).following, true)
  assert.deepEqual([await home(ada), await home(bob)], [all, all])
  assert.deepEqual(await chosen(), [[ada.id], [ada.id]])
})

test('a follow between two suspended accounts returns with the second of them', async () => {
  const mod = await server.person(`mod${round}`, { role: 'moderator' })
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const path = (id: string, act: string): string => `/api/v1/admin/accounts/${id}/${act}`
  const suspend = async (id: string): Promise<void> => {
    await mod.post(path(id, 'action'), { type: 'suspend' })
    await server.drain()
  }
  const unsuspend = async (id: string): Promise<void> => {
    await mod.post(path(id, 'unsuspend'))
    await server.drain()
  }
  const follows = async (): Promise<boolean> => (await relationshipWith(ada, bob.id)).following
  for (const [first, second] of [
    [ada.id, bob.id],
    [bob.id, ada.id],
  ] as const) {
    await suspend(ada.id)
    await suspend(bob.id)
    await unsuspend(first)
    await unsuspend(second)
    assert.equal(await follows(), true)
  }
  for (const suspended of [ada.id, eve.id]) {
    await sever({ type: 'domain_block', domain }, false)
    await suspend(suspended)
    await restore({ domain })
    await unsuspend(suspended)
    assert.equal((await relationshipWith(ada, eve.id)).following, true)
    assert.equal((await relationshipWith(bob, eve.id)).following, true)
  }
})

test('a follow that is stored while a domain block begins ends as well', async () => {
  const admin = await server.person(`admin${round}`, { role: 'admin' })
  const gil = await remoteAuthor(server, 'gil', 'late.test')
  const waiting = `select from pg_stat_activity
    where wait_event_type = 'Lock' and query ~ 'suspended_at is null' and datname = current_database()`
  const finished = 'select from severances where target_name = $1 and severed_at is not null'
  await server.ctx.transaction(async (tx) => {
    await follow(tx, { accountId: ada.id, targetAccountId: gil.id })
    await admin.post('/api/v1/admin/domain_blocks', { domain: 'late.test', severity: 'suspend' })
    // Both jobs wait for the follow, or one of them does not.
    await eventually(
      async () =>
        (await server.database.raw(waiting)).rows.length === 2 ||
        (await server.database.raw(finished, ['late.test'])).rows.length > 0,
    )
  })
  await server.drain()
  const { rows } = await server.database.raw(
    'select from follow_requests where account_id = $1 and target_account_id = $2',
    [ada.id, gil.id],
  )
  assert.equal(rows.length, 0)
})

test('after 30 days nothing can be restored, and events say so', async () => {
  await sever({ type: 'domain_block', domain }, false)
  await server.database.raw(`update severances set created_at = now() - interval '31 days' where target_name = $1`, [
    domain,
  ])
  assert.equal(await restore({ domain }), 0)
  await cleanUp(server.ctx)
  assert.equal((await losses(ada))[0].purged, true)
  const { rows } = await server.database.raw(
    'select count(*)::int as n from severed_relationships r join severances v on v.id = r.severance_id where v.target_name = $1',
    [domain],
  )
  assert.deepEqual(rows, [{ n: 0 }])
})
