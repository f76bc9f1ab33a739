import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import {
  createWebhook,
  deleteWebhook,
  switchWebhook,
  modifyUser,
  modifyWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../support/acts.ts'
import { signedIn } from '../support/forms.ts'
import { findUser, listDeliveries, readWebhookSecret } from '../support/internals.ts'
import { startPushService, type Push } from '../support/push.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const { ctx } = server
const owner = await server.person('owner', { role: 'owner' })
const hook = await startPushService()
hook.answerWith(204)
after(() => hook.stop())

const ALL = ['account.approved', 'account.created', 'account.updated', 'status.created', 'status.updated']
const form = (change: object = {}) => ({ url: `${hook.url}/all`, events: ALL, template: '', ...change })

const signed = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** What arrived since the last call. */
async function arrived(): Promise<(Push & { json: any })[]> {
  await server.drain()
  return hook.received.splice(0).map((push) => ({ ...push, json: JSON.parse(push.body.toString()) }))
}

const retryNow = () =>
  server.database.raw(`update pgboss.job set start_after = now() where name = 'webhooks.deliver' and state = 'retry'`)

const id = await createWebhook(ctx, owner.id, form())

test('posts, edits, sign-ups and profile changes reach the webhook, signed', async () => {
  const status = await ada.post('/api/v1/statuses', { status: 'Hello' })
  await ada.post('/api/v1/statuses', { status: 'For followers', visibility: 'private' })
  const [created, ...others] = await arrived()
  assert.deepEqual(others, [])
  assert.equal(created?.headers['content-type'], 'application/json')
  assert.equal(created?.headers['x-hub-signature'], signed(await readWebhookSecret(ctx, id), created!.body))
  assert.deepEqual([created?.json.event, created?.json.object.id], ['status.created', status.id])
  assert.ok(Date.parse(created?.json.created_at))

  await ada.send('PUT', `/api/v1/statuses/${status.id}`, { json: { status: 'Hello again' } })
  assert.deepEqual(
    (await arrived()).map(({ json }) => [json.event, json.object.content]),
    [['status.updated', '<p>Hello again</p>']],
  )
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Ada' } })
  assert.deepEqual(
    (await arrived()).map(({ json }) => json.event),
    ['account.updated'],
  )

  const stored = await server.database.raw("select encode(secret, 'escape') as secret from webhooks")
  assert.ok(!stored.rows[0]?.secret.includes(await readWebhookSecret(ctx, id)), 'the secret is sealed')
})

test('a sign-up is created first, and approved once its address is confirmed', async () => {
  const token = await server.token({ scopes: ['write'] })
  const answer = await server.send('POST', '/api/v1/accounts', {
    token,
    json: { username: 'grace', email: 'grace@example.org', password: 'correct horse', agreement: true, locale: 'en' },
  })
  assert.equal(answer.status, 200)
  const [created] = await arrived()
  assert.deepEqual([created?.json.event, created?.json.object.email], ['account.created', 'grace@example.org'])
  const user = await findUser(ctx, 'grace')
  for (const _ of [1, 2]) await modifyUser(ctx, user!.account_id, { confirmed: true })
  assert.deepEqual(
    (await arrived()).map(({ json }) => json.event),
    ['account.approved'],
  )
})

test('a failure is retried with the same body; a disabled webhook gets nothing', async () => {
  hook.answerWith(500)
  const { id: statusId } = await ada.post('/api/v1/statuses', { status: 'Retried' })
  assert.equal((await arrived()).length, 1)
  assert.deepEqual(
    (await listDeliveries(ctx, id, 1)).map((row) => [row.event, row.attempts, row.http_status, row.delivered_at]),
    [['status.created', 1, 500, null]],
  )
  hook.answerWith(204)
  await retryNow()
  assert.deepEqual(
    (await arrived()).map(({ json }) => json.object.id),
    [statusId],
  )
  const [delivery] = await listDeliveries(ctx, id, 1)
  assert.deepEqual([delivery?.attempts, delivery?.http_status], [2, 204])
  assert.ok(delivery?.delivered_at)

  await switchWebhook(ctx, owner.id, id, { enabled: false })
  await ada.post('/api/v1/statuses', { status: 'Unheard' })
  assert.deepEqual(await arrived(), [])
  await testWebhook(ctx, id)
  assert.deepEqual(
    (await arrived()).map(({ json }) => json.event),
    ['test'],
  )
  await switchWebhook(ctx, owner.id, id, { enabled: true })
})

test('a template shapes the body, and a new secret signs it', async () => {
  const before = await readWebhookSecret(ctx, id)
  await modifyWebhook(
    ctx,
    owner.id,
    id,
    form({
      template: '{"text": "{{object.account.acct}}: {{object.text}}{{object.spoiler_text}}", "id": {{object.id}}}',
    }),
  )
  await rotateWebhookSecret(ctx, owner.id, id)
  const secret = await readWebhookSecret(ctx, id)
  assert.notEqual(secret, before)
  const status = await ada.post('/api/v1/statuses', { status: 'Hi', spoiler_text: 'a "quoted" {{event}}' })
  const [push] = await arrived()
  assert.deepEqual(push?.json, { text: 'ada: a "quoted" {{event}}', id: status.id })
  assert.equal(push?.headers['x-hub-signature'], signed(secret, push!.body))
})

test('bad forms name every problem; each act is in the audit log', async () => {
  for (const [change, fields] of [
    [{ url: 'ftp://example.org', events: ['status.deleted'], template: '{{' }, ['url', 'events', 'template']],
    [{ url: 'https://user:secret@example.org/' }, ['url']],
    [{ url: 'nonsense', template: '{"a": {{event}}}' }, ['url']],
    [{}, ['url']],
  ] as const)
    await assert.rejects(createWebhook(ctx, owner.id, form(change)), (error: any) => {
      assert.deepEqual([error.status, Object.keys(error.extra.details)], [422, fields])
      return true
    })
  await assert.rejects(modifyWebhook(ctx, owner.id, '999', form({ url: 'https://example.org/x' })), { status: 404 })

  // An address inside of the network is refused once, without a retry. Tests allow loopback only.
  const inside = await createWebhook(ctx, owner.id, form({ url: 'http://10.0.0.1/' }))
  await testWebhook(ctx, inside)
  await server.drain()
  const [delivery] = await listDeliveries(ctx, inside, 1)
  assert.ok(delivery?.failed_at && delivery.error)
  await deleteWebhook(ctx, owner.id, inside)
  await assert.rejects(testWebhook(ctx, inside), { status: 404 })

  const log = await server.database.raw(
    `select action, target_label, details from audit_log where target_type = 'webhook' order by id`,
  )
  assert.deepEqual(
    log.rows.map(({ action }) => action),
    ['create', 'disable', 'enable', 'update', 'rotate_secret', 'create', 'delete'],
  )
  assert.ok(!JSON.stringify(log.rows).includes('/all'))
})

test('staff choose events of accounts and reports only with the permission to see these', async () => {
  const path = '/admin/webhooks'
  const choose = async (role: string, permissions: string[], event: string): Promise<number> => {
    const person = await server.person(role, { role: permissions as any })
    const tab = await signedIn(server, person)
    const page = await tab.get(`${path}/new`)
    const isDisabled = new RegExp(`value="${event}" disabled`).test(page.text)
    const sent = { url: `https://hooks.test/${role}`, 'events[]': event, template: '' }
    const { status } = await tab.submit(page, sent, { action: path })
    assert.equal(isDisabled, status === 403)
    if (status !== 403) return status
    const { csrf_token = '' } = page.forms.at(-1)?.fields ?? {}
    const changed = await tab.post(`${path}/${id}`, { ...sent, csrf_token })
    assert.equal(changed.status, 403, 'nor with the webhook of another')
    return status
  }
  const hooks = ['manage_webhooks']
  assert.equal(await choose('hooks_accounts', hooks, 'account.created'), 403)
  assert.equal(await choose('hooks_reports', [...hooks, 'manage_users'], 'report.created'), 403)
  assert.equal(await choose('hooks_posts', hooks, 'status.created'), 200)
  assert.equal(await choose('hooks_users', [...hooks, 'manage_users'], 'account.created'), 200)
  const events = ['report.created', 'status.created']
  const own = await createWebhook(ctx, owner.id, form({ url: `${hook.url}/both`, events }))
  const person = await server.person('hooks_only', { role: ['manage_webhooks'] })
  const tab = await signedIn(server, person)
  const page = await tab.get(`${path}/${own}`)
  assert.match(page.text, /lacks permissions for some of these events(?![^]*name="url")/)
  const { csrf_token = '' } = page.forms.at(-1)?.fields ?? {}
  const sent = { csrf_token, url: 'https://hooks.test/taken', 'events[]': 'status.created' }
  assert.equal((await tab.post(`${path}/${own}`, sent)).status, 403, 'it would lose the other event')
  await deleteWebhook(ctx, owner.id, own)
})

test('reports reach a webhook for them, as staff see them', async () => {
  const reports = await createWebhook(
    ctx,
    owner.id,
    form({ url: `${hook.url}/reports`, events: ['report.created', 'report.updated'] }),
  )
  const { id: reportId } = await ada.post('/api/v1/reports', { account_id: owner.id, comment: 'rude' })
  await owner.post(`/api/v1/admin/reports/${reportId}/assign_to_self`)
  await owner.post(`/api/v1/admin/reports/${reportId}/resolve`)
  const events = (await arrived()).map(({ json }) => json)
  assert.deepEqual(events.map(({ event, object }) => [event, object.id]).toSorted(), [
    ['report.created', reportId],
    ['report.updated', reportId],
    ['report.updated', reportId],
  ])
  const [{ object }] = events as [any]
  assert.deepEqual([object.comment, object.account.email], ['rude', ada.email])
  await deleteWebhook(ctx, owner.id, reports)
})
