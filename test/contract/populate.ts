import { deviceOf } from '../support/device.ts'
import { pngOf } from '../support/images.ts'
import type { Person, TestServer } from '../support/server.ts'

/** Fills a server with one of every kind of object. Returns the account to view it with. */
export async function populate(server: TestServer): Promise<Person> {
  const [me, friend] = [await server.person('ada'), await server.person('grace')]
  const image = await pngOf(320, 200, '#5a7')
  const upload = async (person: Person): Promise<string> => {
    const form = new FormData()
    form.set('file', new Blob([image], { type: 'image/png' }), 'a.png')
    form.set('description', 'a green field')
    return (await person.send('POST', '/api/v2/media', { form })).json.id
  }
  const fields = [{ name: 'Site', value: 'https://example.org/' }]
  await me.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { display_name: 'Ada', note: 'Writes about #engines', fields_attributes: fields },
  })
  await me.post(`/api/v1/accounts/${friend.id}/follow`)
  await friend.post(`/api/v1/accounts/${me.id}/follow`)
  const first = await me.post('/api/v1/statuses', {
    status: 'Hello #test, this is @grace’s friend: https://example.org/a/long/path/to/read',
    spoiler_text: 'greeting',
    language: 'en',
  })
  const withImage = await friend.post('/api/v1/statuses', {
    status: 'A picture for @ada #test',
    media_ids: [await upload(friend)],
  })
  const reply = await friend.post('/api/v1/statuses', { status: '@ada welcome', in_reply_to_id: first.id })
  await me.post('/api/v1/statuses', { status: '@grace thank you', in_reply_to_id: reply.id, visibility: 'private' })
  await me.post('/api/v1/statuses', { status: '@grace just us', visibility: 'direct' })
  await me.post(`/api/v1/statuses/${withImage.id}/favourite`)
  await me.post(`/api/v1/statuses/${withImage.id}/bookmark`)
  await me.post(`/api/v1/statuses/${withImage.id}/reblog`)
  await friend.post(`/api/v1/statuses/${first.id}/favourite`)
  await friend.post(`/api/v1/statuses/${first.id}/reblog`)
  await me.post(`/api/v1/statuses/${first.id}/pin`)
  await me.put(`/api/v1/statuses/${first.id}`, { status: 'Hello #test, edited' })
  const [blocked, muted, asking] = [
    await server.person('blocked'),
    await server.person('muted'),
    await server.person('asking'),
  ]
  await me.post(`/api/v1/accounts/${blocked.id}/block`)
  await me.post(`/api/v1/accounts/${muted.id}/mute`, { duration: 3600 })
  await me.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { locked: true, source: { privacy: 'public' } },
  })
  await asking.post(`/api/v1/accounts/${me.id}/follow`)
  await recommend(me, friend)
  await whisper(me, friend)
  await arrange(me, friend, first.id)
  const newest = (await me.get('/api/v1/timelines/home'))[0]
  await me.post('/api/v1/markers', { home: { last_read_id: newest.id } })
  await server.drain()
  return me
}

/** Polls, quotes, lists, filters, tags, collections, subscriptions. */
async function arrange(me: Person, friend: Person, statusId: string): Promise<void> {
  const { poll } = await friend.post('/api/v1/statuses', {
    status: 'Which one? #test',
    poll: { options: ['this', 'that'], expires_in: 3600 },
  })
  await me.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const quoted = await friend.post('/api/v1/statuses', { status: 'as she said', quoted_status_id: statusId })
  await me.post('/api/v1/statuses', { status: 'as they said', quoted_status_id: quoted.id })
  await me.post('/api/v1/statuses', { status: 'later', scheduled_at: new Date(Date.now() + 86_400_000).toISOString() })
  const list = await me.post('/api/v1/lists', { title: 'Friends' })
  await me.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [friend.id] })
  const filter = await me.post('/api/v2/filters', {
    title: 'Spoilers',
    context: ['home', 'thread'],
    keywords_attributes: [{ keyword: 'that' }],
  })
  await me.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: quoted.id })
  await me.post('/api/v1/tags/test/follow')
  await me.post('/api/v1/featured_tags', { name: 'engines' })
  await me.post(`/api/v1/accounts/${friend.id}/endorse`)
  await me.post(`/api/v1/accounts/${friend.id}/note`, { comment: 'met at the conference' })
  await me.post('/api/v1/domain_blocks', { domain: 'blocked.test' })
  await friend.post('/api/v1/statuses', { status: '@ada a quiet word', visibility: 'direct' })
}

/** Puts both into a collection of the other, and posts a link to one. */
async function recommend(me: Person, friend: Person): Promise<void> {
  for (const person of [me, friend])
    await person.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  const { collection } = await me.post('/api/v1/collections', {
    name: 'Friends',
    tag_name: 'test',
    account_ids: [friend.id],
  })
  await friend.post('/api/v1/collections', { name: 'Mine', account_ids: [me.id] })
  await me.post('/api/v1/statuses', { status: `My friends: ${collection.url}` })
}

/** Registers a device for both accounts, and sends a message to the first. */
async function whisper(me: Person, friend: Person): Promise<void> {
  const { device } = await deviceOf(me, 2)
  await deviceOf(friend)
  const target = { account_id: me.id, device_id: device.device_id }
  await friend.post('/api/v1/crypto/deliveries', { device: [{ ...target, body: 'c2VjcmV0', hmac: 'c2VhbA' }] })
}
