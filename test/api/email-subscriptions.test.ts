// Subscriptions to the posts of an account by mail, for people without an account.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { assignRole, cleanUp, deleteAccount, mailNewPosts, saveSettings } from '../support/acts.ts'
import { browser } from '../support/forms.ts'
import { imageFile } from '../support/images.ts'
import { bringForward } from '../support/jobs.ts'
import { mailsTo, type WrittenMail } from '../support/mail.ts'
import type { Answer, Person } from '../support/server.ts'
import { smtpServer } from '../support/smtp.ts'
import { stage } from '../support/stage.ts'

const { server, ben } = await stage({ accounts: ['ben'] })
const PREFERENCES = '/settings/preferences'

beforeEach(() => saveSettings(server.ctx, { email_subscriptions: true }))

/** An account that offers its posts. */
async function author(name: string): Promise<Person> {
  const person = await server.person(name, { role: ['manage_email_subscriptions'] })
  await choose(person, { email_subscriptions: '1' })
  return person
}

async function choose(person: Person, fields: Record<string, string>): Promise<string> {
  const tab = browser(server)
  await tab.signIn(person.email, person.password)
  return (await tab.submit(await tab.get(PREFERENCES), fields, { action: PREFERENCES })).text
}

const subscribe = (person: Person, email: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send('POST', `/api/v1/accounts/${person.id}/email_subscriptions`, { json: { email }, headers })

const pathIn = ({ text }: WrittenMail, page: 'confirm' | 'unsubscribe'): string =>
  new RegExp(`^${server.ctx.config.baseUrl}(/email_subscriptions/${page}\\S+)$`, 'm').exec(text)?.[1] ?? ''

/** Subscribes an address and confirms it. */
async function confirmed(person: Person, email: string): Promise<void> {
  assert.equal((await subscribe(person, email)).status, 200)
  const [mail] = await mailsTo(server, email)
  assert.ok(mail)
  const tab = browser(server)
  assert.equal((await tab.submit(await tab.get(pathIn(mail, 'confirm')))).status, 200)
}

/** The mails with posts, after the delay in which posts gather. */
async function mailsWithPosts(email: string): Promise<WrittenMail[]> {
  await server.drain()
  await bringForward(server, 'email-subscriptions.mail')
  const mails = await mailsTo(server, email)
  return mails.filter((mail) => pathIn(mail, 'unsubscribe') !== '')
}

/** As if the last mail to the address was sent hours ago. */
const letHoursPass = (email: string): Promise<unknown> =>
  server.database.raw(`update email_subscriptions set mailed_at = now() - interval '5 hours' where email = $1`, [email])

const offer = async (person: Person): Promise<unknown> =>
  (await ben.get(`/api/v1/accounts/${person.id}`)).email_subscriptions

test('new public posts reach an address once its owner has pressed the button behind the link in a mail', async () => {
  const ada = await author('ada')
  await ada.post('/api/v1/statuses', { status: 'Before' })
  assert.equal(await offer(ada), true)
  assert.equal(await offer(ben), false)
  assert.deepEqual((await subscribe(ada, 'ann@a.test', { 'accept-language': 'de' })).json, {})
  const [question] = await mailsTo(server, 'ann@a.test')
  assert.match(question?.subject ?? '', /^Bestätige/)
  const link = pathIn(question as WrittenMail, 'confirm')
  const tab = browser(server)
  const page = await tab.get(link)
  assert.match(page.text, /@ada@localhost/)
  await ada.post('/api/v1/statuses', { status: 'Not confirmed yet' })
  assert.deepEqual(await mailsWithPosts('ann@a.test'), [], 'a link that was only opened confirms nothing')
  assert.equal((await tab.get(`${link}x`)).status, 404)
  assert.equal((await tab.submit(page)).status, 200)
  assert.equal((await tab.submit(page)).status, 200, 'again')

  const first = await ada.post('/api/v1/statuses', { status: 'Hello <all>\n\nA second paragraph' })
  const other = await ben.post('/api/v1/statuses', { status: 'By ben' })
  await ada.post('/api/v1/statuses', { status: '@ben a reply', in_reply_to_id: other.id })
  await ada.post('/api/v1/statuses', { status: 'Mine to continue', in_reply_to_id: first.id })
  await ada.post(`/api/v1/statuses/${other.id}/reblog`)
  for (const visibility of ['unlisted', 'private', 'direct'])
    await ada.post('/api/v1/statuses', { status: `Of ${visibility}`, visibility })
  const [mail, ...more] = await mailsWithPosts('ann@a.test')
  assert.equal(more.length, 0)
  assert.equal(mail?.subject, 'Neue Beiträge von ada')
  assert.match(mail.text, /^Hello <all>\n\nA second paragraph\n\nhttp\S+\/@ada\/\d+\n\n\* \* \*\n\nMine to continue\n/)
  assert.doesNotMatch(mail.text, /Before|Not confirmed|By ben|a reply|Of /)

  const [header = '', oneClick] = mail.unsubscribe
  assert.equal(oneClick, 'List-Unsubscribe=One-Click')
  const path = pathIn(mail, 'unsubscribe')
  assert.equal(header, `<${server.ctx.config.baseUrl}${path}>`)
  assert.equal((await tab.get(path)).status, 200)
  const { status, text } = await server.send('POST', path, { form: { 'List-Unsubscribe': 'One-Click' } })
  assert.equal(status, 200)
  assert.match(text, /href="[^"]+\/@ada">Subscribe by e-mail</, 'for those who change their mind')
  assert.equal((await tab.submit(await tab.get(path))).status, 200, 'again')
  const gone = await tab.submit(page)
  assert.equal(gone.status, 404)
  assert.match(gone.text, /This link no longer works/)
  await ada.post('/api/v1/statuses', { status: 'After' })
  assert.equal((await mailsWithPosts('ann@a.test')).length, 1)
})

test('a mail shows content warnings, alt texts and polls, and nothing that is sensitive', async () => {
  const dora = await author('dora')
  await confirmed(dora, 'eve@a.test')
  const image = async (description: string): Promise<string> => {
    const form = new FormData()
    form.set('file', await imageFile())
    form.set('description', description)
    return (await dora.send('POST', '/api/v2/media', { form })).json.id
  }
  await dora.post('/api/v1/statuses', { status: 'The end', spoiler_text: 'Spoilers' })
  await dora.post('/api/v1/statuses', { status: 'Look', media_ids: [await image('A red square')] })
  await dora.post('/api/v1/statuses', { status: 'Careful', media_ids: [await image('Blood')], sensitive: true })
  await dora.post('/api/v1/statuses', { status: 'Which?', poll: { options: ['One', 'Two'], expires_in: 3600 } })
  const [{ text } = { text: '' }] = await mailsWithPosts('eve@a.test')
  assert.match(text, /^Content warning: Spoilers\n\nhttp\S+\n\n/)
  assert.match(text, /Look\n\n\[Image: A red square\]\n[\s\S]*Careful\n\n\[Image: sensitive\]\n/)
  assert.match(text, /Which\?\n\nPoll:\n• One\n• Two\n/)
  assert.doesNotMatch(text, /The end|Blood/)
})

test('posts of some hours come in one mail, as they are by then', async () => {
  const finn = await author('finn')
  await confirmed(finn, 'gil@a.test')
  const edited = await finn.post('/api/v1/statuses', { status: 'Frist' })
  const deleted = await finn.post('/api/v1/statuses', { status: 'A mistake' })
  await finn.send('PUT', `/api/v1/statuses/${edited.id}`, { json: { status: 'First' } })
  await finn.send('DELETE', `/api/v1/statuses/${deleted.id}`)
  const [first] = await mailsWithPosts('gil@a.test')
  assert.equal(first?.subject, 'finn: First')
  assert.doesNotMatch(first.text, /Frist|mistake/)
  for (let n = 1; n <= 22; n++) await finn.post('/api/v1/statuses', { status: `Number ${n}.` })
  assert.equal((await mailsWithPosts('gil@a.test')).length, 1)
  await letHoursPass('gil@a.test')
  const [, second, ...others] = await mailsWithPosts('gil@a.test')
  assert.equal(others.length, 0)
  assert.equal(second?.text.match(/^Number \d+\.$/gm)?.length, 20)
  assert.match(second.text, /Number 22\.\n[\s\S]*There are more new posts:\n\nhttp\S+\/@finn\n/)
  assert.doesNotMatch(second.text, /Number 2\./)
  await letHoursPass('gil@a.test')
  const third = await finn.post('/api/v1/statuses', { status: 'Once' })
  await Promise.all([1, 2].map(() => mailNewPosts(server.ctx, { accountId: finn.id })))
  assert.equal((await mailsWithPosts('gil@a.test')).filter(({ text }) => text.includes(third.id)).length, 1)
})

test('the answer is the same for every address, and refuses texts that are none, blocked domains and networks', async () => {
  const hana = await author('hana')
  await confirmed(hana, 'ida@a.test')
  await subscribe(hana, 'jon@a.test')
  for (const email of ['ida@a.test', 'IDA@a.test', 'jon@a.test', 'kim@a.test']) {
    const answer = await subscribe(hana, email)
    assert.deepEqual([answer.status, answer.json], [200, {}])
  }
  assert.equal((await mailsTo(server, 'ida@a.test')).length, 1)
  assert.equal((await mailsTo(server, 'jon@a.test')).length, 2)
  for (const email of ['', 'nothing', 'a@b.test, c@d.test', 'a@b.test\nBcc: c@d.test'])
    assert.equal((await subscribe(hana, email)).status, 422)
  assert.equal((await subscribe(hana, 'x'.repeat(10_000))).status, 422)
  await server.database.raw(`insert into email_domain_blocks (domain) values ('blocked.test')`)
  assert.equal((await subscribe(hana, 'a@blocked.test')).status, 422)
  await server.database.raw(`insert into ip_blocks (ip, severity) values ('192.0.2.0/24', 'sign_up_block')`)
  assert.equal((await subscribe(hana, 'lou@a.test', { 'x-forwarded-for': '192.0.2.7' })).status, 403)
})

test('the form on the profile works without scripts, and is there while the account offers its posts', async () => {
  const mia = await author('mia')
  const tab = browser(server)
  const action = '/@mia/email_subscriptions'
  const refused = await tab.submit(await tab.get('/@mia'), { email: 'nothing' }, { action })
  assert.equal(refused.status, 422)
  assert.equal(refused.forms.find((form) => form.action === action)?.fields.email, 'nothing')
  const taken = await tab.submit(refused, { email: 'ned@a.test' }, { action })
  assert.match(taken.text, /Check your e-mail/)
  assert.equal((await mailsTo(server, 'ned@a.test')).length, 1)
  await choose(mia, { email_subscriptions: '' })
  assert.ok(!(await tab.get('/@mia')).forms.some((form) => form.action === action))
  assert.equal((await tab.post(action, { email: 'ned@a.test' })).status, 404)
})

test('nothing is mailed or offered without the setting, the permission, the choice, or by an account that is limited or gone', async () => {
  const olga = await author('olga')
  await confirmed(olga, 'pat@a.test')
  const staff = await server.person('staff', { role: 'owner' })
  let posts = 0
  const isMailed = async (): Promise<boolean> => {
    const before = (await mailsWithPosts('pat@a.test')).length
    await letHoursPass('pat@a.test')
    await olga.post('/api/v1/statuses', { status: `Post ${++posts}` })
    return (await mailsWithPosts('pat@a.test')).length > before
  }
  const isOffered = async (): Promise<boolean> => {
    const { status } = await subscribe(olga, `new${posts}@a.test`)
    assert.equal(status === 200, (await offer(olga)) === true)
    assert.ok(status === 200 || status === 404)
    return status === 200
  }
  const both = async (): Promise<boolean[]> => [await isOffered(), await isMailed()]
  assert.deepEqual(await both(), [true, true])
  await saveSettings(server.ctx, { email_subscriptions: false })
  assert.deepEqual(await both(), [false, false])
  assert.equal(await offer(olga), undefined, 'absent while the server does not offer it')
  await saveSettings(server.ctx, { email_subscriptions: true })
  assert.match(await choose(olga, { email_subscriptions: '' }), /1 address receives your posts/)
  assert.deepEqual(await both(), [false, false])
  await choose(olga, { email_subscriptions: '1' })
  const { role_id: role } = await server.database
    .raw(`select role_id from users where id = $1`, [olga.userId])
    .then(({ rows }) => rows[0])
  await assignRole(server.ctx, staff.id, olga.id, '-99')
  assert.deepEqual(await both(), [false, false])
  await assignRole(server.ctx, staff.id, olga.id, role)
  assert.deepEqual(await both(), [true, true])
  const act = (type: string): Promise<unknown> =>
    staff.post(`/api/v1/admin/accounts/${olga.id}/${type === 'silence' ? 'action' : type}`, { type })
  await act('silence')
  assert.deepEqual(await both(), [false, false])
  await act('unsilence')
  await olga.post('/api/v1/statuses', { status: 'Waiting' })
  await server.drain()
  await letHoursPass('pat@a.test')
  const before = (await mailsTo(server, 'pat@a.test')).length
  await deleteAccount(server.ctx, olga.id)
  await bringForward(server, 'email-subscriptions.mail')
  assert.equal((await mailsTo(server, 'pat@a.test')).length, before)
  const { rows } = await server.database.raw(`select from email_subscriptions where account_id = $1`, [olga.id])
  assert.equal(rows.length, 0)
})

test('users see how many addresses they have, and can delete them; those not confirmed within a week are deleted', async () => {
  const quin = await author('quin')
  await confirmed(quin, 'ray@a.test')
  await subscribe(quin, 'sam@a.test')
  assert.match(await choose(quin, { email_subscriptions: '1' }), /1 address receives your posts/)
  const [mail] = await mailsTo(server, 'sam@a.test')
  await server.database.raw(
    `update email_subscriptions set created_at = now() - interval '8 days' where account_id = $1`,
    [quin.id],
  )
  await cleanUp(server.ctx)
  const expired = await browser(server).get(pathIn(mail as WrittenMail, 'confirm'))
  assert.equal(expired.status, 404)
  assert.match(expired.text, /This link no longer works/)
  assert.match(await choose(quin, {}), /1 address receives your posts/, 'confirmed ones stay')
  const staff = await server.person('counts', { role: 'moderator' })
  const office = browser(server)
  await office.signIn(staff.email, staff.password)
  const { text } = await office.get(`/admin/accounts/${quin.id}`)
  assert.match(text, /E-mail subscribers<\/dt>\s*<dd>1</)
  assert.doesNotMatch(text, /ray@a\.test/)
  const page = await choose(quin, { remove_email_subscriptions: '1' })
  assert.match(page, /0 addresses receive your posts/)
  assert.doesNotMatch(page, /ray@a\.test/)
  const tab = browser(server)
  await tab.signIn(ben.email, ben.password)
  assert.doesNotMatch(
    (await tab.get(PREFERENCES)).text,
    /email_subscriptions/,
    'nothing to choose without the permission',
  )
})

test('an address that the mail server refuses again and again is deleted, and one that it refuses at first at once', async () => {
  const answers: Record<string, string> = {}
  const smtp = await smtpServer(answers)
  const env = { SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(smtp.port), SMTP_OPENSSL_VERIFY_MODE: 'none' }
  const { server: sending } = await stage({ env })
  after(() => smtp.close())
  await saveSettings(sending.ctx, { email_subscriptions: true })
  const tom = await sending.person('tom', { role: ['manage_email_subscriptions'] })
  await sending.database.raw(`update users set settings = '{"email_subscriptions": true}' where id = $1`, [tom.userId])
  const ask = (): Promise<Answer> =>
    sending.send('POST', `/api/v1/accounts/${tom.id}/email_subscriptions`, { json: { email: 'una@a.test' } })
  const count = async (): Promise<number> => {
    await sending.drain()
    return (await sending.database.raw('select from email_subscriptions')).rows.length
  }
  answers.RCPT = '550 5.1.1 nobody here'
  await ask()
  assert.equal(await count(), 0)
  delete answers.RCPT
  await ask()
  assert.equal(await count(), 1)
  // The body of a mail is encoded.
  const mail = smtp.received.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=')
  const path = /(\/email_subscriptions\/confirm\S+)/.exec(mail)?.[1] ?? ''
  assert.equal((await sending.send('POST', path, { form: {} })).status, 200)
  const post = async (): Promise<number> => {
    await sending.database.raw(`update email_subscriptions set mailed_at = null`)
    await tom.post('/api/v1/statuses', { status: 'Hello' })
    await bringForward(sending, 'email-subscriptions.mail')
    return count()
  }
  answers.RCPT = '550 5.1.1 nobody here'
  assert.deepEqual([await post(), await post()], [1, 1])
  delete answers.RCPT
  assert.equal(await post(), 1, 'accepted once, so that it counts from the beginning')
  answers.RCPT = '550 5.1.1 nobody here'
  assert.deepEqual([await post(), await post(), await post()], [1, 1, 0])
})
