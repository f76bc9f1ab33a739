// What a user sees of moderators' decisions: the notification, the mail, the pages, the appeal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOnAccount, appealWarning, cleanUp, decideAppeal } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, signedIn } from '../support/forms.ts'
import { uploadImage } from '../support/images.ts'
import { mailsTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const mod = await server.person('mod', { role: 'moderator' })
const owner = await server.person('owner', { role: 'owner' })
const { db } = server.ctx

const act = (id: string, json: object): Promise<void> => mod.post(`/api/v1/admin/accounts/${id}/action`, json)
const latest = async (id: string): Promise<string> =>
  (await db.one<{ id: string }>(sql`select max(id) as id from account_warnings where target_account_id = ${id}`)).id

test('a warning comes as a notification and a mail, in the language of the user', async () => {
  const { id: preset } = await db.one<{ id: string }>(
    sql`insert into account_warning_presets (title, text) values ('Spam', 'No advertising.') returning id`,
  )
  await db.run(sql`update users set locale = 'de' where id = ${ada.userId}`)
  await act(ada.id, { type: 'none', warning_preset_id: preset, text: 'Please stop.' })
  const [notification] = await ada.get('/api/v1/notifications?types[]=moderation_warning')
  const { action, text, target_account, appeal, status_ids } = notification.moderation_warning
  assert.deepEqual(
    [action, text, target_account.id, appeal, status_ids],
    ['none', 'No advertising.\n\nPlease stop.', ada.id, null, null],
  )
  const [mail] = await mailsTo(server, ada.email)
  assert.match(mail?.subject ?? '', /Verwarnung/)
  assert.match(mail?.text ?? '', /No advertising\.\n\nPlease stop\./)
  assert.match(mail?.text ?? '', new RegExp(`/disputes/strikes/${await latest(ada.id)}`))
  await act(ada.id, { type: 'none', text: 'Psst', send_email_notification: false })
  assert.equal((await mailsTo(server, ada.email)).length, 1)
  await db.run(sql`update users set locale = 'en' where id = ${ada.userId}`)
})

test('users see their history and appeal once', async () => {
  const strike = await latest(ada.id)
  const path = `/disputes/strikes/${strike}`
  const tab = browser(server)
  assert.match((await tab.get(path)).location, /^\/auth\/sign_in/)
  await tab.signIn('ada', ada.password)
  assert.match((await tab.get('/disputes/strikes')).text, /href="\/settings">All settings<[^]*Warning/)
  const page = await tab.get(path)
  assert.match(page.text, /Psst/)
  const refused = await tab.submit(page, { text: '   ' }, { action: `${path}/appeal` })
  assert.equal(refused.status, 422)
  const long = await tab.submit(page, { text: 'x'.repeat(2001) }, { action: `${path}/appeal` })
  assert.equal(long.status, 422)
  assert.match(long.text, /id="field-text-error">[^<]* is too long[^]*xxxxxxxxxx/)
  const sent = await tab.submit(page, { text: 'It was a joke.' }, { action: `${path}/appeal` })
  assert.match(sent.text, /Your appeal is sent/)
  assert.match(sent.text, /It was a joke\./)
  const again = await tab.submit(page, { text: 'Again' }, { action: `${path}/appeal` })
  assert.deepEqual([again.status, /decided or changed[^]*It was a joke\./.test(again.text)], [422, true])
  assert.match((await mailsTo(server, owner.email)).at(-1)?.text ?? '', /It was a joke\./)
  const [notification] = await ada.get('/api/v1/notifications?types[]=moderation_warning')
  assert.deepEqual(notification.moderation_warning.appeal, { text: 'It was a joke.', state: 'pending' })
  await act((await server.person('zed')).id, { type: 'none' })
  assert.equal((await tab.get(`/disputes/strikes/${BigInt(strike) + 1n}`)).status, 404)
  assert.equal((await tab.get('/disputes/strikes/x')).status, 404)
})

test('disabled and suspended users sign in to see the decision and appeal, and reach no other page', async () => {
  for (const type of ['disable', 'suspend']) {
    const person = await server.person(`${type}d`)
    await act(person.id, { type, text: 'Bye.' })
    const tab = browser(server)
    assert.equal((await tab.signIn(person.username, 'wrong password')).status, 422)
    const page = await tab.signIn(person.username, person.password)
    assert.equal(page.location, '/disputes/strikes')
    assert.match(page.text, type === 'disable' ? /is frozen/ : /is suspended/)
    assert.doesNotMatch(page.text, /href="\/settings"/)
    for (const closed of ['/auth/edit', '/settings/profile', '/admin'])
      assert.match((await tab.get(closed)).location, /^\/auth\/sign_in/, closed)
    const path = `/disputes/strikes/${await latest(person.id)}`
    const sent = await tab.submit(await tab.get(path), { text: 'Sorry.' }, { action: `${path}/appeal` })
    assert.match(sent.text, /Your appeal is sent/)
    const { id } = await db.one<{ id: string }>(sql`select id from appeals where account_id = ${person.id}`)
    await decideAppeal(server.ctx, mod.id, { id, approve: true })
    assert.equal((await person.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
    assert.match((await mailsTo(server, person.email)).at(-1)?.subject ?? '', /accepted/)
    assert.equal((await tab.get('/auth/edit')).location, '/auth/edit')
    await assert.rejects(decideAppeal(server.ctx, mod.id, { id, approve: false }), { status: 403 })
  }
})

test('a rejected appeal restores nothing, and an appeal after 20 days is refused', async () => {
  const gil = await server.person('gil')
  const [first, second] = [await post(gil, 'one https://example.test'), await post(gil, 'two')]
  const { warningId } = await actOnAccount(server.ctx, mod.id, {
    accountId: gil.id,
    type: 'delete_statuses',
    statusIds: [first, await post(mod, 'not gil')],
  })
  assert.equal((await server.send('GET', `/api/v1/statuses/${first}`)).status, 404)
  assert.equal((await server.send('GET', `/api/v1/statuses/${second}`)).status, 200)
  const longest = '😔'.repeat(2000)
  await appealWarning(server.ctx, { accountId: gil.id, warningId, text: longest })
  const { id } = await db.one<{ id: string }>(sql`select id from appeals where account_id = ${gil.id}`)
  await decideAppeal(server.ctx, owner.id, { id, approve: false })
  assert.match((await mailsTo(server, gil.email)).at(-1)?.subject ?? '', /rejected/)
  const old = await actOnAccount(server.ctx, null, { accountId: gil.id, type: 'sensitive' })
  await db.run(
    sql`update account_warnings set created_at = created_at - interval '21 days' where id = ${old.warningId}`,
  )
  await assert.rejects(appealWarning(server.ctx, { accountId: gil.id, warningId: old.warningId, text: 'Why?' }), {
    status: 403,
  })
  await assert.rejects(appealWarning(server.ctx, { accountId: ada.id, warningId: old.warningId, text: 'Why?' }), {
    status: 404,
  })
  const tab = await signedIn(server, gil)
  assert.match((await tab.get(`/disputes/strikes/${old.warningId}`)).text, /are over/)
})

test('posts that staff marked as sensitive stay so until an appeal; files of deleted ones go with the next clean-up', async () => {
  const jan = await server.person('jan')
  const media = [await uploadImage(jan), await uploadImage(jan)]
  const [marked, deleted] = await Promise.all(
    media.map((id) => jan.post('/api/v1/statuses', { status: 'a picture', media_ids: [id] })),
  )
  const isSensitive = async (): Promise<boolean> => (await jan.get(`/api/v1/statuses/${marked.id}`)).sensitive
  const { warningId } = await actOnAccount(server.ctx, mod.id, {
    accountId: jan.id,
    type: 'mark_statuses_as_sensitive',
    statusIds: [marked.id],
  })
  await jan.put(`/api/v1/statuses/${marked.id}`, { status: 'a nice picture', media_ids: [media[0]], sensitive: false })
  assert.equal(await isSensitive(), true)
  const tab = await signedIn(server, jan)
  const strike = `/disputes/strikes/${warningId}`
  const appealed = await tab.submit(await tab.get(strike), { text: 'Just a bird.' }, { action: `${strike}/appeal` })
  assert.match(appealed.text, /Just a bird\./)
  assert.match((await tab.get('/disputes/strikes')).text, /<span class="badge">Appeal: /)
  const { id } = await db.one<{ id: string }>(sql`select id from appeals where account_id = ${jan.id}`)
  await decideAppeal(server.ctx, owner.id, { id, approve: true })
  assert.equal(await isSensitive(), false)

  const { url } = deleted.media_attachments[0]
  await actOnAccount(server.ctx, mod.id, { accountId: jan.id, type: 'delete_statuses', statusIds: [deleted.id] })
  await server.drain()
  const statusOf = async (): Promise<number> => (await server.send('GET', new URL(url).pathname)).status
  await cleanUp(server.ctx)
  await server.drain()
  assert.equal(await statusOf(), 404)
  assert.deepEqual(await db.many(sql`select id from media_attachments where account_id = ${jan.id}`), [
    { id: media[0] },
  ])
})

test('users download the accounts that they lost', async () => {
  const [hal, ida] = [await server.person('hal'), await server.person('ida')]
  await hal.post(`/api/v1/accounts/${ida.id}/follow`)
  await ida.post(`/api/v1/accounts/${hal.id}/follow`)
  const tab = await signedIn(server, hal)
  assert.match((await tab.get('/severed_relationships')).text, /You have lost no follows/)
  await act(ida.id, { type: 'suspend' })
  await server.drain()
  const page = await tab.get('/severed_relationships')
  assert.match(page.text, /suspended <bdi>ida@/)
  const link = /href="(\/severed_relationships\/\d+\/following\.csv)"/.exec(page.text)?.[1] ?? ''
  assert.match((await tab.get(link)).text, new RegExp(`^Account address.*\nida@${server.domain},true,false,`))
  const followers = link.replace('following.csv', 'followers.csv')
  assert.ok(page.text.includes(`href="${followers}"`))
  assert.equal((await tab.get(followers)).text, `Account address\nida@${server.domain}\n`)
  const other = await signedIn(server, ada)
  assert.equal((await other.get(link)).status, 404)
})
