// Mails about notifications that are not read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, signedIn } from '../support/forms.ts'
import { bringForward } from '../support/jobs.ts'
import { mailsTo, type WrittenMail } from '../support/mail.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const PATH = '/settings/preferences'
const { server, ben, cleo } = await stage({ accounts: ['ben', 'cleo'] })

async function choose(person: Person, types: readonly string[]): Promise<void> {
  const tab = await signedIn(server, person)
  const all = ['mention', 'quote', 'follow', 'follow_request', 'reblog', 'favourite']
  const fields = Object.fromEntries(all.map((type) => [`mail_${type}`, types.includes(type) ? '1' : '']))
  const saved = await tab.submit(await tab.get(PATH), fields, { action: PATH })
  assert.equal(saved.text.match(/name="mail_\w+" value="1" checked/g)?.length ?? 0, types.length)
}

const isNotificationMail = ({ subject }: WrittenMail): boolean => subject.startsWith('Unread notifications')

/** The texts of the mails after the next clean-up, to a person who was last there so many minutes ago. */
async function mailsAfter(person: Person, minutes: number): Promise<string[]> {
  await server.drain()
  await server.database.raw('update users set last_active_at = now() - make_interval(mins => $1) where id = $2', [
    minutes,
    person.userId,
  ])
  await cleanUp(server.ctx)
  const mails = await mailsTo(server, person.email)
  return mails.filter(isNotificationMail).map(({ text }) => text)
}

test('a mail names the unread notifications of the chosen types, once, and only while the user is away', async () => {
  const ada = await server.person('ada')
  const { id } = await ada.post('/api/v1/statuses', { status: 'My post' })
  await ben.post('/api/v1/statuses', { status: '@ada lunch?\nAt noon', visibility: 'direct' })
  await ben.post(`/api/v1/statuses/${id}/favourite`)
  await cleo.post(`/api/v1/accounts/${ada.id}/follow`)
  assert.deepEqual(await mailsAfter(ada, 60), [], 'nothing without a choice')

  await choose(ada, ['mention', 'follow'])
  assert.deepEqual(await mailsAfter(ada, 10), [], 'the user is there')
  const [first, ...others] = await mailsAfter(ada, 60)
  assert.equal(others.length, 0)
  assert.match(first ?? '', /@ada:[\s\S]*• cleo is now following you[\s\S]*• ben mentioned you: @ada lunch\? At noon/)
  assert.match(first ?? '', /\/notifications[\s\S]*\/settings\/preferences/)
  assert.doesNotMatch(first ?? '', /favourited|and more/)
  assert.equal((await mailsAfter(ada, 60)).length, 1, 'each is told once')

  await cleo.post('/api/v1/statuses', { status: '@ada read already' })
  await server.drain()
  const [latest] = await ada.get('/api/v1/notifications?limit=1')
  await ada.post('/api/v1/markers', { notifications: { last_read_id: latest.id } })
  await ben.post('/api/v1/statuses', { status: '@ada of one who is blocked' })
  await server.drain()
  await ada.post(`/api/v1/accounts/${ben.id}/block`)
  assert.equal((await mailsAfter(ada, 60)).length, 1, 'nothing that was read, or comes from a blocked account')
  await cleo.post('/api/v1/statuses', { status: '@ada <b>news</b>', spoiler_text: 'A warning' })
  const second = (await mailsAfter(ada, 60))[1] ?? ''
  assert.match(second, /• cleo mentioned you: A warning\n/)
  assert.doesNotMatch(second, /read already|blocked|news/)
})

test('two clean-ups at once send one mail', async () => {
  const fay = await server.person('fay')
  await choose(fay, ['mention'])
  await ben.post('/api/v1/statuses', { status: '@fay hello' })
  await mailsAfter(fay, 10)
  await server.database.run(sql`update users set last_active_at = now() - interval '1 hour' where id = ${fay.userId}`)
  await Promise.all([cleanUp(server.ctx), cleanUp(server.ctx)])
  assert.equal((await mailsTo(server, fay.email)).filter(isNotificationMail).length, 1)
})

test('a mail that is sent again after a crash has the same Message-ID', async () => {
  const gil = await server.person('gil')
  const tab = browser(server)
  await tab.submit(await tab.get('/auth/password/new'), { 'user[email]': gil.email })
  const first = await eventually(async () => (await mailsTo(server, gil.email))[0])
  await server.database.raw(
    `
    update pgboss.job set state = 'created', started_on = null, completed_on = null
    where name = 'mail.send' and data ->> 'to' = $1`,
    [gil.email],
  )
  await bringForward(server, 'mail.send')
  const [again, ...others] = (await mailsTo(server, gil.email)).slice(1)
  assert.match(first.id, /^<[\w-]{36}@localhost>$/)
  assert.deepEqual([again?.id, again?.text, others], [first.id, first.text, []])
})

test('a mail names twenty notifications, and says that there are more', async () => {
  const dora = await server.person('dora')
  await choose(dora, ['mention'])
  for (let n = 0; n < 22; n += 1) await cleo.post('/api/v1/statuses', { status: `@dora number ${n}.` })
  const [mail = ''] = await mailsAfter(dora, 60)
  assert.equal(mail.match(/• cleo mentioned you/g)?.length, 20)
  assert.match(mail, /number 21\.[\s\S]*… and more/)
  assert.equal((await mailsAfter(dora, 60)).length, 1)
  await choose(dora, [])
  await cleo.post('/api/v1/statuses', { status: '@dora one more' })
  assert.equal((await mailsAfter(dora, 60)).length, 1)
})

test('the address in a mail ends these mails, by the request of a mail program or a button, without a session', async () => {
  const eve = await server.person('eve')
  const tab = browser(server)
  await choose(eve, ['mention'])
  await cleo.post('/api/v1/statuses', { status: '@eve hello' })
  const [text = ''] = await mailsAfter(eve, 60)
  const mails = await mailsTo(server, eve.email)
  const [header = '', oneClick] = mails.find(isNotificationMail)?.unsubscribe ?? []
  assert.equal(oneClick, 'List-Unsubscribe=One-Click')
  const path = header.slice(1, -1).replace(server.ctx.config.baseUrl, '')
  assert.ok(text.includes(`\n${header.slice(1, -1)}\n`))

  assert.equal((await tab.get(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).status, 404)
  assert.equal((await tab.post(path.replace(/=\d+/, `=${cleo.userId}`), {})).status, 404, 'of another user')
  const page = await tab.get(path)
  const isChosen = async (): Promise<boolean> => {
    await cleo.post('/api/v1/statuses', { status: '@eve and again' })
    const before = (await mailsTo(server, eve.email)).length
    await mailsAfter(eve, 60)
    return (await mailsTo(server, eve.email)).length > before
  }
  assert.ok(await isChosen(), 'the page alone changes nothing')
  assert.match((await tab.submit(page)).text, /You receive no more e-mail about notifications/)
  assert.ok(!(await isChosen()))
  await choose(eve, ['mention'])
  assert.ok(await isChosen())
  for (const form of [{ 'List-Unsubscribe': 'One-Click' }, oneClickForm()]) {
    await choose(eve, ['mention'])
    assert.equal((await server.send('POST', path, { form })).status, 200)
    assert.ok(!(await isChosen()))
  }
})

function oneClickForm(): FormData {
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  return form
}
