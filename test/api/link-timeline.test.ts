import { saveSettings } from '../support/acts.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'
import { post } from '../support/timelines.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const site = await startSite()
for (const person of [ada, ben])
  await person.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
after(() => site.stop())

const read = async (url: string, more = '', who: Person | null = ada): Promise<any> =>
  server.send('GET', `/api/v1/timelines/link?url=${encodeURIComponent(url)}${more}`, { token: who?.token ?? null })
const idsOf = async (...args: Parameters<typeof read>): Promise<string[]> => {
  const answer = await read(...args)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.map((one: any) => one.id)
}

test('the link timeline has public posts by discoverable accounts, for the posted and the canonical URL', async () => {
  const html = '<title>News</title><link rel="canonical" href="/news">'
  const [link, other] = [site.serve('/news?from=a', { body: html }), site.serve('/news?from=b', { body: html })]
  const cleo = await server.person('cleo')
  // Each page is read once; while that goes on, other posts with the link wait.
  const first = await post(ada, link)
  await server.drain()
  const second = await post(ben, `${other} again`, { in_reply_to_id: first })
  await server.drain()
  await post(cleo, `by who does not want that ${link}`)
  await post(ada, `unlisted ${link}`, { visibility: 'unlisted' })
  await post(ada, `private ${link}`, { visibility: 'private' })
  await server.drain()
  assert.deepEqual(await idsOf(`${site.url}/news`), [second, first])
  assert.deepEqual(await idsOf(link), [first])
  assert.deepEqual(await idsOf(`${site.url}/news`, '', null), [second, first])
  assert.deepEqual(await idsOf(`${site.url}/news`, '&limit=1'), [second])
  assert.deepEqual(await idsOf(`${site.url}/news`, `&max_id=${second}`), [first])
  assert.deepEqual(await idsOf(`${site.url}/news`, `&min_id=${first}`), [second])
  const { headers } = await read(`${site.url}/news`, '&limit=1')
  assert.match(headers.get('link') ?? '', new RegExp(`url=[^>]+max_id=${second}>; rel="next"`))
  for (const [action, undo] of [
    ['block', 'unblock'],
    ['mute', 'unmute'],
  ] as const) {
    await ada.post(`/api/v1/accounts/${ben.id}/${action}`)
    assert.deepEqual(await idsOf(`${site.url}/news`), [first], action)
    await ada.post(`/api/v1/accounts/${ben.id}/${undo}`)
  }
  for (const column of ['silenced_at', 'suspended_at']) {
    await server.database.raw(`update accounts set ${column} = now() where id = $1`, [ben.id])
    assert.deepEqual(await idsOf(`${site.url}/news`), [first], column)
    await server.database.raw(`update accounts set ${column} = null where id = $1`, [ben.id])
  }
})

test('the timeline of an unknown link is not found, and access follows the settings', async () => {
  assert.equal((await read('https://nobody.test/')).status, 404)
  assert.equal((await read('')).status, 400)
  assert.equal((await read('x'.repeat(5000))).status, 404)
  const writer = await server.token({ userId: ada.userId, scopes: ['write'] })
  const url = `/api/v1/timelines/link?url=${encodeURIComponent(`${site.url}/news`)}`
  assert.equal((await server.send('GET', url, { token: writer })).status, 403)
  await saveSettings(server.ctx, {
    local_topic_feed_access: 'authenticated',
    remote_topic_feed_access: 'authenticated',
  })
  assert.equal((await server.send('GET', url)).status, 401)
  assert.equal((await idsOf(`${site.url}/news`)).length, 2)
  await saveSettings(server.ctx, { local_topic_feed_access: 'disabled', remote_topic_feed_access: 'disabled' })
  assert.deepEqual(await idsOf(`${site.url}/news`), [])
  await saveSettings(server.ctx, { local_topic_feed_access: 'public', remote_topic_feed_access: 'public' })
})
