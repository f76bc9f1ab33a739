// The automatic deletion of one's own old posts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp, deleteOldStatusesOfUsers } from '../support/acts.ts'
import { newId, sql } from '../support/database.ts'
import { signedIn } from '../support/forms.ts'
import { uploadImage } from '../support/images.ts'
import { beforeCommit } from '../support/races.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const PATH = '/statuses_cleanup'
const { server, ada, ben, cleo, peer } = await stage({ accounts: ['ada', 'ben', 'cleo'], peers: ['peer'] })

/** Checkboxes with an empty value are off. */
async function choose(person: Person, fields: Record<string, string>): Promise<void> {
  const tab = await signedIn(server, person)
  const page = await tab.submit(await tab.get(PATH), { enabled: '1', ...fields }, { action: PATH })
  assert.match(page.text, /Posts that are old enough are deleted from now on/)
}

const post = async (person: Person, status: string, more: object = {}): Promise<string> =>
  ((await person.post('/api/v1/statuses', { status, ...more })) as { id: string }).id

/** Runs the clean-up task so many days later. */
async function later(days: number): Promise<void> {
  await server.ctx.db.run(sql`update statuses_cleanup_policies set applied_at = now() - interval '1 hour'`)
  await deleteOldStatusesOfUsers(server.ctx, new Date(Date.now() + days * 86_400_000))
}

const stillThere = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await server.ctx.db.many<{ id: string }>(
    sql`select id from statuses where id = any(${ids}::bigint[]) order by id`,
  )
  return rows.map(({ id }) => id)
}

test('old posts and boosts are deleted everywhere, except those that the author keeps', async () => {
  const fan = await peer.actor('fan')
  const object = `${server.ctx.config.baseUrl}/users/ada`
  await peer.send(server, fan, { id: `${peer.url}/f/1`, type: 'Follow', actor: fan.uri, object })
  await server.drain()
  const plain = await post(ada, 'Nothing special')
  const reply = await post(ada, 'An answer', { in_reply_to_id: plain })
  const benPost = await post(ben, 'Not hers')
  const boost = ((await ada.post(`/api/v1/statuses/${benPost}/reblog`)) as { id: string }).id
  const excepted = {
    pinned: await post(ada, 'Pinned'),
    direct: await post(ada, '@ben Psst', { visibility: 'direct' }),
    self_fav: await post(ada, 'Favourite'),
    self_bookmark: await post(ada, 'Bookmark'),
    polls: await post(ada, 'Tea?', { poll: { options: ['yes', 'no'], expires_in: 3600 } }),
    media: await post(ada, 'A picture', { media_ids: [await uploadImage(ada)] }),
    favs: await post(ada, 'Loved by two'),
    reblogs: await post(ada, 'Boosted'),
  }
  await ada.post(`/api/v1/statuses/${excepted.pinned}/pin`)
  await ada.post(`/api/v1/statuses/${excepted.self_fav}/favourite`)
  await ada.post(`/api/v1/statuses/${excepted.self_bookmark}/bookmark`)
  for (const person of [ben, cleo]) await person.post(`/api/v1/statuses/${excepted.favs}/favourite`)
  await ben.post(`/api/v1/statuses/${excepted.reblogs}/reblog`)
  const all = [plain, reply, boost, ...Object.values(excepted)]

  await later(400)
  assert.deepEqual(await stillThere(all), all, 'nothing without a choice')

  await choose(ada, { min_status_age: '14', keep_polls: '1', keep_media: '1', min_favs: '2', min_reblogs: '1' })
  await cleanUp(server.ctx)
  await later(13)
  assert.deepEqual(await stillThere(all), all, 'nothing that is too new')
  await later(15)
  assert.deepEqual(await stillThere([...all, benPost]), [benPost, ...Object.values(excepted)].toSorted())
  assert.equal((await server.send('GET', `/api/v1/statuses/${plain}`, { token: ada.token })).status, 404)
  await server.drain()
  const deleted = peer.received.filter(({ type }) => type === 'Delete').map(({ object }) => JSON.stringify(object))
  assert.ok(deleted.some((object) => object.includes(plain)) && deleted.some((object) => object.includes(reply)))
  assert.ok(!deleted.some((object) => Object.values(excepted).some((id) => object.includes(id))))

  await choose(ada, {
    min_status_age: '7',
    keep_pinned: '',
    keep_direct: '',
    keep_self_fav: '',
    keep_self_bookmark: '',
    keep_polls: '',
    keep_media: '',
    min_favs: '3',
    min_reblogs: '',
  })
  await later(8)
  assert.deepEqual(await stillThere(all), [])
})

test('wrong choices are refused with what was typed, and the page says what is saved', async () => {
  const tab = await signedIn(server, ben)
  const page = await tab.get(PATH)
  const wrong = await tab.submit(page, { enabled: '1', min_favs: '0', min_reblogs: 'many' }, { action: PATH })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /at least this many favourites must be greater than or equal to 1/)
  assert.match(wrong.text, /at least this many boosts is not a number/)
  assert.match(wrong.text, /name="min_reblogs" value="many"/)
  assert.equal((await tab.submit(page, { min_status_age: '1' }, { action: PATH })).status, 422)
  const { rows } = await server.database.raw('select 1 from statuses_cleanup_policies where account_id = $1', [ben.id])
  assert.deepEqual(rows, [])

  const saved = await tab.submit(page, { enabled: '1', min_status_age: '365', min_favs: '5' }, { action: PATH })
  assert.match(saved.text, /Posts that are old enough are deleted from now on/)
  const shown = await tab.get(PATH)
  assert.match(shown.text, /<option value="365" selected>1 year</)
  assert.match(shown.text, /name="min_favs" value="5"/)
  const off = await tab.submit(shown, { enabled: '' }, { action: PATH })
  assert.match(off.text, /No posts are deleted automatically/)
})

test('an account has 100 posts deleted in an hour, oldest first, and goes on where it stopped', async () => {
  const posts = await server.ctx.db.many<{ id: string }>(sql`
    insert into statuses (id, account_id, visibility, local, content)
    select ${newId()}::bigint + n, ${cleo.id}, 'public', true, 'Post ' || n from generate_series(1, 105) n returning id`)
  const ids = posts.map(({ id }) => id)
  await cleo.post(`/api/v1/statuses/${ids[0]}/pin`)
  await choose(cleo, { min_status_age: '30' })
  await later(40)
  assert.deepEqual(await stillThere(ids), [ids[0], ...ids.slice(101)])
  await later(40)
  assert.deepEqual(await stillThere(ids), [ids[0]])
  // Then it begins again, and sees what is no longer excepted.
  await cleo.post(`/api/v1/statuses/${ids[0]}/unpin`)
  const bookmark = sql`insert into bookmarks (account_id, status_id) values (${cleo.id}, ${ids[0]})`
  await beforeCommit(
    server,
    (tx) => tx.db.run(bookmark),
    () => later(40),
  )
  assert.deepEqual(await stillThere(ids), [ids[0]], 'bookmarked at the same moment')
  await cleo.post(`/api/v1/statuses/${ids[0]}/unbookmark`)
  await later(40)
  assert.deepEqual(await stillThere(ids), [])
})

test('a failure to delete the posts of one account does not stop the deletion of those of others', async () => {
  const [stuck, due] = [await post(ada, 'Stuck'), await post(ben, 'Due')]
  for (const person of [ada, ben]) await choose(person, { min_status_age: '7' })
  const { raw } = server.database
  await raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
  await raw(
    `create trigger refuse before delete on statuses for each row when (old.id = ${stuck}) execute function refuse()`,
  )
  await server.ctx.db.run(sql`update statuses_cleanup_policies set applied_at = now() - interval '1 hour'`)
  await server.ctx.db.run(
    sql`update statuses_cleanup_policies set applied_at = now() - interval '1 day' where account_id = ${ada.id}`,
  )
  const run = () => deleteOldStatusesOfUsers(server.ctx, new Date(Date.now() + 8 * 86_400_000))
  await run()
  assert.deepEqual(await stillThere([stuck, due]), [stuck])
  await raw('drop trigger refuse on statuses')
  await run()
  assert.deepEqual(await stillThere([stuck]), [stuck], 'not again within the hour')
  await later(8)
  assert.deepEqual(await stillThere([stuck]), [])
})
