// Pinned posts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const post = (who: Person, json: object = { status: 'x' }): Promise<any> =>
  who.post('/api/v1/statuses', { status: 'x', ...json })
const act = (who: Person, id: string, action: string): Promise<any> => who.post(`/api/v1/statuses/${id}/${action}`)
const refusalToPin = async (who: Person, id: string): Promise<[number, string]> => {
  const answer = await who.send('POST', `/api/v1/statuses/${id}/pin`)
  return [answer.status, answer.json.error]
}

test('pinned posts are paged, and the page links preserve the query parameters', async () => {
  const zoe = await server.person('zoe')
  const ids: string[] = []
  for (const word of ['one', 'two', 'three']) ids.push((await zoe.post('/api/v1/statuses', { status: word })).id)
  const [one, two, three] = ids as [string, string, string]
  for (const id of [two, three, one]) await act(zoe, id, 'pin')
  const list = (query: string): Promise<Answer> => zoe.send('GET', `/api/v1/accounts/${zoe.id}/statuses?${query}`)
  const idsIn = ({ json }: Answer): string[] => json.map(({ id }: any) => id)
  const all = await list('pinned=true')
  assert.deepEqual(idsIn(all), [one, three, two])
  assert.deepEqual(Object.keys(links(all.headers)), ['prev'], 'a page that is not full is the last')
  const first = await list('pinned=true&limit=2&exclude_reblogs=true')
  assert.deepEqual(idsIn(first), [three, two])
  const { next = '', prev = '' } = links(first.headers)
  for (const link of [next, prev]) {
    const query = new URL(link).searchParams
    assert.deepEqual([query.get('pinned'), query.get('limit'), query.get('exclude_reblogs')], ['true', '2', 'true'])
  }
  assert.deepEqual(idsIn(await list(new URL(next).search.slice(1))), [one])
  assert.deepEqual(idsIn(await list(new URL(prev).search.slice(1))), [])
})

test('at most five posts can be pinned, also concurrently, and only own posts that are not direct or boosts', async () => {
  const eve = await server.person('eve')
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.push((await post(eve)).id)
  const answers = await Promise.all(ids.map((id) => eve.send('POST', `/api/v1/statuses/${id}/pin`)))
  assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 200, 200, 200, 200, 422, 422])
  const pinned = ids.filter((_, i) => answers[i]?.status === 200)
  const left = ids.filter((id) => !pinned.includes(id))
  assert.deepEqual(await refusalToPin(eve, left[0] as string), [
    422,
    'Validation failed: You have already pinned the maximum number of posts',
  ])
  assert.equal((await act(eve, pinned[0] as string, 'pin')).pinned, true)
  assert.equal((await act(eve, pinned[0] as string, 'unpin')).pinned, false)
  assert.equal((await act(eve, pinned[0] as string, 'unpin')).pinned, false)
  assert.equal((await act(eve, left[0] as string, 'pin')).pinned, true)
  await act(eve, left[0] as string, 'unpin')
  const direct = await post(eve, { visibility: 'direct' })
  assert.deepEqual(await refusalToPin(eve, direct.id), [
    422,
    'Validation failed: Posts that are only visible to mentioned users cannot be pinned',
  ])
  assert.deepEqual(await refusalToPin(bob, ids[0] as string), [
    422,
    "Validation failed: Someone else's post cannot be pinned",
  ])
  const boost = await act(eve, (await post(ada)).id, 'reblog')
  assert.deepEqual(await refusalToPin(eve, boost.id), [422, 'Validation failed: A boost cannot be pinned'])
})

test('other servers read pinned posts, and those for followers only by their addresses', async () => {
  const ida = await server.person('ida')
  const [open, secret] = [
    await post(ida, { status: 'open' }),
    await post(ida, { status: 'secret', visibility: 'private' }),
  ]
  for (const { id } of [open, secret]) await act(ida, id, 'pin')
  const { json, text } = await server.send('GET', '/users/ida/collections/featured', {
    headers: { accept: 'application/activity+json' },
  })
  assert.equal(json.totalItems, 2)
  assert.deepEqual([json.orderedItems[0], json.orderedItems[1].id], [secret.uri, open.uri])
  assert.equal(text.includes('>secret<'), false)
})
