import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, sql } from '../support/database.ts'
import { stage } from '../support/stage.ts'
import { boost, follow, home, post } from '../support/timelines.ts'

// Paths that are taken above a number only: they must give the same results as those below it.

const { server, ada, bob, cleo } = await stage({ accounts: ['ada', 'bob', 'cleo'] })
const { db } = server.ctx

test('posts of an author with more than a thousand mutes reach all other followers', async () => {
  for (const reader of [ada, cleo]) {
    await follow(server, reader, bob)
    await home(reader)
  }
  await cleo.post(`/api/v1/accounts/${bob.id}/mute`)
  await db.run(sql`
    with many as (
      insert into accounts (id, username) select ${newId()}::bigint + n, 'many' || n from generate_series(1, 1001) n returning id
    )
    insert into mutes (account_id, target_account_id) select id, ${bob.id} from many`)
  const plain = await post(bob, 'hello')
  const boosted = await boost(bob, await post(ada, 'boosted by bob'))
  await server.drain()
  assert.deepEqual((await home(ada)).slice(0, 3).includes(plain), true)
  assert.deepEqual(
    (await home(cleo)).filter((id) => [plain, boosted].includes(id)),
    [],
  )
  await cleo.post(`/api/v1/accounts/${bob.id}/unmute`)
})

test('each of more than two hundred muted conversations shows as muted', async () => {
  const ids = [await post(bob, 'first'), await post(bob, 'second')]
  await ada.post(`/api/v1/statuses/${ids[0]}/mute`)
  const own = await post(ada, 'mine')
  await ada.post(`/api/v1/statuses/${own}/mute`)
  const muted = async (): Promise<boolean[]> =>
    Promise.all([...ids, own].map(async (id) => (await ada.get(`/api/v1/statuses/${id}`)).muted))
  assert.deepEqual(await muted(), [true, false, true])
  await db.run(sql`
    with many as (insert into conversations (id) select ${newId()}::bigint + n from generate_series(1, 300) n returning id)
    insert into conversation_mutes (account_id, conversation_id) select ${ada.id}, id from many`)
  const third = await post(bob, 'third')
  await ada.post(`/api/v1/statuses/${third}/mute`)
  assert.deepEqual(await muted(), [true, false, true])
  assert.equal((await ada.get(`/api/v1/statuses/${third}`)).muted, true)
})
