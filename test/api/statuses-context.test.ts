// GET /api/v1/statuses/:id/context
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, newId } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob, cat } = await stage({ accounts: ['ada', 'bob', 'cat'] })

const post = async (who: Person, parent: string | null = null): Promise<string> =>
  (await who.post('/api/v1/statuses', { status: 'x', ...(parent ? { in_reply_to_id: parent } : {}) })).id
const thread = async (id: string, who: Person | null = null): Promise<{ above: string[]; below: string[] }> => {
  const answer = await server.send('GET', `/api/v1/statuses/${id}/context`, { token: who?.token ?? null })
  assert.equal(answer.status, 200, answer.text)
  return {
    above: answer.json.ancestors.map((status: any) => status.id),
    below: answer.json.descendants.map((status: any) => status.id),
  }
}

test('ancestors start at the root; descendants are depth first, with replies of the author to themselves first', async () => {
  const root = await post(ada)
  const answer = await post(bob, root)
  const deeper = await post(cat, answer)
  const second = await post(cat, root)
  const goesOn = await post(ada, root)
  const andOn = await post(ada, goesOn)
  const reply = await post(bob, goesOn)
  assert.deepEqual(await thread(root), { above: [], below: [goesOn, andOn, reply, answer, deeper, second] })
  assert.deepEqual(await thread(deeper), { above: [root, answer], below: [] })
  const boost = await bob.post(`/api/v1/statuses/${deeper}/reblog`)
  assert.deepEqual((await thread(boost.id)).above, [root, answer])
})

test('the context leaves out blocked, muted, blocking and unfollowed silenced accounts', async () => {
  const [me, blocked, muted, blocker, limited, friend] = await Promise.all(
    ['me', 'blocked', 'muted', 'blocker', 'limited', 'friend'].map((name) => server.person(name)),
  )
  assert(me && blocked && muted && blocker && limited && friend)
  const root = await post(ada)
  const replies = {
    blocked: await post(blocked, root),
    muted: await post(muted, root),
    blocker: await post(blocker, root),
    limited: await post(limited, root),
    friend: await post(friend, root),
  }
  const belowBlocked = await post(bob, replies.blocked)
  await server.ctx.db.run(
    sql`update accounts set silenced_at = now() where id = any(${[limited.id, friend.id]}::bigint[])`,
  )
  await me.post(`/api/v1/accounts/${blocked.id}/block`)
  await me.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocker.post(`/api/v1/accounts/${me.id}/block`)
  await me.post(`/api/v1/accounts/${friend.id}/follow`)
  await server.ctx.db.run(
    sql`insert into follows (account_id, target_account_id) values (${me.id}, ${friend.id}) on conflict do nothing`,
  )
  assert.deepEqual((await thread(root, me)).below, [belowBlocked, replies.friend])
  assert.deepEqual((await thread(belowBlocked, me)).above, [root])
  assert.deepEqual((await thread(root)).below, [replies.blocked, belowBlocked, replies.muted, replies.blocker])
  assert.deepEqual((await thread(root, limited)).below, [
    replies.blocked,
    belowBlocked,
    replies.muted,
    replies.blocker,
    replies.limited,
  ])
  await server.ctx.db.run(sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${me.id}`)
  assert.deepEqual((await thread(root, me)).below, [belowBlocked, replies.muted, replies.friend])
})

test('anonymous contexts are limited to 40 ancestors, 60 descendants and a depth of 20; a token lifts these limits', async () => {
  const root = await post(ada)
  const chain = await server.ctx.db.many<{ id: string }>(chainOf(ada.id, root, 70))
  const app = await server.token({ scopes: ['read'] })
  const last = chain.at(-1)?.id as string
  const [anonymous, signedIn] = [await thread(last), await thread(last, ada)]
  assert.equal(anonymous.above.length, 40)
  assert.equal(anonymous.above.at(-1), chain.at(-2)?.id)
  assert.equal(signedIn.above.length, 70)
  assert.equal(signedIn.above[0], root)
  assert.equal((await server.send('GET', `/api/v1/statuses/${last}/context`, { token: app })).json.ancestors.length, 70)
  assert.equal((await thread(root)).below.length, 20)
  assert.equal((await thread(root, ada)).below.length, 70)
  const wide = await post(bob)
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, visibility, local, reply, in_reply_to_id) select ${wide}::bigint + n, ${ada.id}, 'public', true, true, ${wide} from generate_series(1, 100) n`)
  assert.equal((await thread(wide)).below.length, 60)
  assert.equal((await thread(wide, ada)).below.length, 100)
})

/** Inserts a chain of `length` replies under `root` in one statement. */
function chainOf(accountId: string, root: string, length: number): ReturnType<typeof sql> {
  const ids = Array.from({ length }, () => newId())
  return sql`insert into statuses (id, account_id, visibility, local, reply, in_reply_to_id)
    select id, ${accountId}, 'public', true, true, parent from unnest(${ids}::bigint[], ${[root, ...ids.slice(0, -1)]}::bigint[]) as chain (id, parent) returning id`
}
