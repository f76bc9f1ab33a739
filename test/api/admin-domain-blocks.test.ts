// Domain blocks and allows of administrators: rules, and what a block does to accounts, follows and media.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isDomainAllowed } from '../support/internals.ts'
import { stage } from '../support/stage.ts'
import { links, remoteAuthor } from '../support/timelines.ts'

const { server } = await stage()
const admin = await server.person('admin', { role: ['manage_federation'] })
const other = await server.person('other', { role: ['manage_blocks'] })
const owner = await server.person('owner', { role: 'owner' })
const ada = await server.person('ada')

const BLOCKS = '/api/v1/admin/domain_blocks'
const ALLOWS = '/api/v1/admin/domain_allows'
const audit = async (type: string): Promise<any[]> =>
  (
    await server.database.raw(
      'select action, target_label, account_id from audit_log where target_type = $1 order by id',
      [type],
    )
  ).rows

test('only staff who may manage federation read and change blocks and allows', async () => {
  const { id } = await admin.post(BLOCKS, { domain: 'guarded.test' })
  for (const path of [BLOCKS, `${BLOCKS}/${id}`, ALLOWS]) {
    assert.equal((await server.send('GET', path)).status, 401, path)
    assert.equal((await other.send('GET', path)).status, 403, path)
    assert.equal((await ada.send('GET', path)).status, 403, path)
  }
  assert.equal((await other.send('POST', BLOCKS, { json: { domain: 'x.test' } })).status, 403)
  assert.equal((await other.send('DELETE', `${BLOCKS}/${id}`)).status, 403)
  assert.equal((await admin.send('GET', `${BLOCKS}/9999999`)).status, 404)
  assert.equal((await admin.send('PUT', `${BLOCKS}/9999999`, { json: { severity: 'noop' } })).status, 404)
  assert.equal((await admin.send('DELETE', `${BLOCKS}/9999999`)).status, 404)
  assert.equal((await admin.send('DELETE', `${ALLOWS}/9999999`)).status, 404)
  assert.deepEqual((await admin.send('DELETE', `${BLOCKS}/${id}`)).json, {})
  assert.deepEqual(
    (await audit('domain_block')).map((entry) => [entry.action, entry.target_label, entry.account_id]),
    [
      ['create', 'guarded.test', admin.id],
      ['delete', 'guarded.test', admin.id],
    ],
  )
})

test('a block holds for each way to write the domain', async () => {
  const { id } = await admin.post(BLOCKS, { domain: 'written.test', severity: 'suspend' })
  for (const host of ['written.test', 'WRITTEN.test', 'written.test.', 'a.written.test.', 'written.test.:8443'])
    assert.equal(await isDomainAllowed(server.ctx, host), false, host)
  assert.equal(await isDomainAllowed(server.ctx, 'unwritten.test'), true)
  await admin.send('DELETE', `${BLOCKS}/${id}`)
})

test('a block has defaults, is changed and listed in pages', async () => {
  const made = await admin.post(BLOCKS, { domain: 'Listed.TEST' })
  assert.deepEqual(made, {
    id: made.id,
    domain: 'listed.test',
    digest: createHash('sha256').update('listed.test').digest('hex'),
    created_at: made.created_at,
    severity: 'silence',
    reject_media: false,
    reject_reports: false,
    private_comment: null,
    public_comment: null,
    obfuscate: false,
  })
  const changed = await admin.send('PUT', `${BLOCKS}/${made.id}`, {
    json: { severity: 'noop', reject_reports: true, public_comment: 'Spam', obfuscate: true },
  })
  assert.deepEqual(changed.json, {
    ...made,
    severity: 'noop',
    reject_reports: true,
    public_comment: 'Spam',
    obfuscate: true,
  })
  assert.deepEqual((await admin.send('PUT', `${BLOCKS}/${made.id}`, { json: {} })).json, changed.json)
  await admin.post(BLOCKS, { domain: 'listed2.test' })
  const page = await admin.send('GET', `${BLOCKS}?limit=1`)
  assert.equal(page.json[0].domain, 'listed2.test')
  assert.equal(
    (
      await admin.send(
        'GET',
        new URL(links(page.headers).next ?? '').pathname + new URL(links(page.headers).next ?? '').search,
      )
    ).json[0].domain,
    'listed.test',
  )
})

test('bad parameters are refused, and so are rules that exist already', async () => {
  for (const json of [
    {},
    { domain: '' },
    { domain: 'not a domain' },
    { domain: '*.example.test' },
    { domain: server.domain },
    { domain: 'ok.test', private_comment: 'x'.repeat(5001) },
  ]) {
    const { status } = await admin.send('POST', BLOCKS, { json })
    assert.equal(status, 422, JSON.stringify(json).slice(0, 60))
  }
  const unknown = await admin.send('POST', BLOCKS, { json: { domain: 'ok.test', severity: 'ban' } })
  assert.equal(unknown.json.error, 'Validation failed: Severity is not included in the list')
  const parent = await admin.post(BLOCKS, { domain: 'parent.test', severity: 'silence', reject_media: true })
  const again = await admin.send('POST', BLOCKS, { json: { domain: 'parent.test', severity: 'suspend' } })
  assert.deepEqual([again.status, again.json.existing_domain_block], [422, parent])
  assert.match(again.json.error, /parent\.test/)
  const weaker = await admin.send('POST', BLOCKS, { json: { domain: 'a.parent.test', severity: 'silence' } })
  assert.deepEqual([weaker.status, weaker.json.existing_domain_block.id], [422, parent.id])
  assert.equal((await admin.post(BLOCKS, { domain: 'b.parent.test', severity: 'suspend' })).severity, 'suspend')
  const both = await Promise.all([1, 2].map(() => admin.send('POST', BLOCKS, { json: { domain: 'twice.test' } })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422])
})

test('a suspension hides accounts and posts of the domain and its subdomains, and its end restores them', async () => {
  const [eve, sub, far] = await Promise.all([
    remoteAuthor(server, 'eve', 'bad.test'),
    remoteAuthor(server, 'sub', 'deep.bad.test'),
    remoteAuthor(server, 'far', 'notbad.test'),
  ])
  await server.database.raw(`insert into peers (domain) values ('deep.bad.test')`)
  await server.database.raw(`update accounts set suspended_at = now(), suspension_origin = 'remote' where id = $1`, [
    (await remoteAuthor(server, 'gone', 'bad.test')).id,
  ])
  await server.database.raw(
    `update accounts set avatar_key = 'avatars/none.png', avatar_remote_url = 'https://bad.test/a.png' where id = $1`,
    [eve.id],
  )
  const statuses = await Promise.all([eve.post('From Eve'), sub.post('From Sub'), far.post('From Far')])
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [ada.id, eve.id])
  const statusCodes = (): Promise<number[]> =>
    Promise.all(statuses.map(async (id) => (await ada.send('GET', `/api/v1/statuses/${id}`)).status))
  assert.deepEqual(await statusCodes(), [200, 200, 200])

  const { id } = await admin.post(BLOCKS, { domain: 'bad.test', severity: 'suspend' })
  await server.drain()
  assert.deepEqual(await statusCodes(), [404, 404, 200])
  assert.equal((await ada.get('/api/v1/accounts/relationships?id[]=' + eve.id)).at(0)?.following ?? false, false)
  const [event] = await ada.get('/api/v1/notifications?types[]=severed_relationships')
  assert.deepEqual([event.event.type, event.event.target_name], ['domain_block', 'bad.test'])
  const { rows } = await server.database.raw(
    'select avatar_key, suspension_origin, purge_at is not null as purged from accounts where id = $1',
    [eve.id],
  )
  assert.deepEqual(rows, [{ avatar_key: null, suspension_origin: 'domain', purged: true }])

  await admin.send('PUT', `${BLOCKS}/${id}`, { json: { severity: 'silence' } })
  await server.drain()
  assert.deepEqual(await statusCodes(), [200, 200, 200])
  assert.equal((await ada.get(`/api/v1/accounts/${eve.id}`)).limited, true)
  await owner.post(`/api/v1/admin/accounts/${sub.id}/action`, { type: 'silence' })
  await admin.send('DELETE', `${BLOCKS}/${id}`)
  await server.drain()
  assert.equal((await ada.get(`/api/v1/accounts/${sub.id}`)).limited, true, 'moderators limited it too')
  assert.equal((await ada.get(`/api/v1/accounts/${eve.id}`)).limited, undefined)
  const { rows: left } = await server.database.raw(
    `select username from accounts where domain = 'bad.test' and suspended_at is not null`,
  )
  assert.deepEqual(left, [{ username: 'gone' }], 'what its own server suspended stays suspended')
})

test('allows are created once, listed and removed', async () => {
  const made = await admin.post(ALLOWS, { domain: 'Friend.test' })
  assert.deepEqual(Object.keys(made).toSorted(), ['created_at', 'domain', 'id'])
  assert.deepEqual(await admin.post(ALLOWS, { domain: 'friend.test' }), made, 'an existing entry is returned')
  assert.deepEqual(await admin.get(`${ALLOWS}/${made.id}`), made)
  assert.deepEqual(await admin.get(ALLOWS), [made])
  for (const json of [{}, { domain: ' ' }, { domain: 'no domain' }, { domain: '*.friend.test' }])
    assert.equal((await admin.send('POST', ALLOWS, { json })).status, 422)
  assert.deepEqual((await admin.send('DELETE', `${ALLOWS}/${made.id}`)).json, {})
  assert.equal((await admin.send('GET', `${ALLOWS}/${made.id}`)).status, 404)
  assert.deepEqual(
    (await audit('domain_allow')).map(({ action }) => action),
    ['create', 'delete'],
  )
})
