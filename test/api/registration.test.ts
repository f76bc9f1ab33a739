import { saveSettings, sendConfirmation } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { issueToken } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser } from '../support/forms.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { beforeCommit } from '../support/races.ts'
import { eventually, type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// An empty variable leaves the setting open, so that the tests can change it.
const { server } = await stage({ env: { REGISTRATIONS_MODE: '' } })
const appToken = await server.token({ scopes: ['read', 'write'] })

const GOOD = { password: 'correct horse battery', agreement: true, locale: 'en' }
const register = (json: Record<string, unknown>, token: string | null = appToken): Promise<Answer> =>
  server.send('POST', '/api/v1/accounts', { token, json: { ...GOOD, ...json } })

/** The error codes by field. */
const details = async (json: Record<string, unknown>): Promise<Record<string, string[]>> => {
  const answer = await register({ username: 'fine', email: 'fine@mail.test', ...json })
  assert.equal(answer.status, 422, answer.text)
  assert.match(answer.json.error, /^Validation failed: /)
  return Object.fromEntries(
    Object.entries(answer.json.details as Record<string, { error: string }[]>).map(([field, list]) => [
      field,
      list.map(({ error }) => error),
    ]),
  )
}

test('the confirmation mail is in the language of the user, or in English', async () => {
  assert.equal((await register({ username: 'gerd', email: 'gerd@mail.test', locale: 'de' })).status, 200)
  assert.equal((await register({ username: 'ivo', email: 'ivo@mail.test', locale: 'cs' })).status, 200)
  const [german] = await mailsTo(server, 'gerd@mail.test')
  assert.match(german?.subject ?? '', /^Bestätige deine E-Mail-Adresse/)
  assert.match(german?.text ?? '', /Willkommen bei .*, @gerd!/)
  const [other] = await mailsTo(server, 'ivo@mail.test')
  assert.match(other?.subject ?? '', /^Confirm your e-mail address/)
})

test('an hour after users have joined, they get a mail with first steps, unless they are gone again', async () => {
  for (const username of ['gerd', 'ivo']) await browser(server).get(await linkTo(server, `${username}@mail.test`))
  const subjects = async (): Promise<string[]> =>
    (await mailsTo(server, 'gerd@mail.test')).map(({ subject }) => subject)
  assert.equal((await subjects()).length, 1, 'not at once')
  const { rows } = await server.database.raw(`
    update pgboss.job set start_after = now() where name = 'mail.welcome' and start_after > now() + interval '59 minutes' returning 1`)
  assert.equal(rows.length, 2)
  await server.database.raw(`update users set disabled = true where email = 'ivo@mail.test'`)
  const welcome = await eventually(async () => (await mailsTo(server, 'gerd@mail.test'))[1])
  assert.match(welcome.subject, /^Willkommen bei/)
  assert.match(
    welcome.text,
    new RegExp(`@gerd@${server.ctx.config.localDomain}\n[^]*/settings/profile\n[^]*/explore\n`),
  )
  assert.equal((await mailsTo(server, 'ivo@mail.test')).length, 1)
})

test('a user who signs up through an application must confirm the e-mail address first', async () => {
  const { status, json } = await register({
    username: 'Newcomer',
    email: 'new@mail.test',
    time_zone: 'Nowhere/Land',
    invite_code: 'x',
  })
  assert.equal(status, 200)
  assert.deepEqual([json.token_type, json.scope.split(' ').includes('write')], ['Bearer', true])
  const token = json.access_token
  const refused = await server.send('GET', '/api/v1/accounts/verify_credentials', { token })
  assert.deepEqual([refused.status, refused.json.error], [403, 'Your login is missing a confirmed e-mail address'])
  assert.equal((await server.send('GET', '/api/v1/emails/check_confirmation', { token })).text, 'false')

  const [mail] = await mailsTo(server, 'new@mail.test')
  assert.match(mail?.subject ?? '', /Confirm your e-mail address/)
  assert.match(mail?.text ?? '', /@Newcomer/)
  const link = await linkTo(server, 'new@mail.test')
  const page = await browser(server).get(link)
  assert.equal(page.status, 200)
  assert.match(page.text, /Your e-mail address is confirmed/)
  assert.match(page.text, /continue in <strong>Tests/)
  assert.equal((await server.send('GET', '/api/v1/emails/check_confirmation', { token })).text, 'true')
  assert.equal((await server.send('GET', '/api/v1/accounts/verify_credentials', { token })).json.username, 'Newcomer')
  assert.equal((await browser(server).get(link)).status, 404, 'the link works once')
})

test('sign-up maps the locale of a device to a supported language', async () => {
  const locales = { 'en-US': 'en', pt_PT: 'pt-PT', zh: 'zh-CN', iw: 'he', oj: 'en', tlh: 'en', '': 'en' }
  for (const [i, locale] of Object.keys(locales).entries())
    assert.equal(
      (await register({ username: `speaker${i}`, email: `speaker${i}@mail.test`, locale })).status,
      200,
      locale,
    )
  const users = await server.ctx.db.many<{ locale: string }>(
    sql`select locale from users where email like 'speaker%' order by email`,
  )
  assert.deepEqual(
    users.map(({ locale }) => locale),
    Object.values(locales),
  )
})

test('sign-up reports every invalid field with error codes', async () => {
  assert.deepEqual(await details({ username: '' }), { username: ['ERR_BLANK'] })
  assert.deepEqual(await details({ username: 'no spaces' }), { username: ['ERR_INVALID'] })
  assert.deepEqual(await details({ username: 'ünicode' }), { username: ['ERR_INVALID'] })
  assert.deepEqual(await details({ username: 'x'.repeat(31) }), { username: ['ERR_TOO_LONG'] })
  assert.deepEqual(await details({ username: 'Admin' }), { username: ['ERR_RESERVED'] })
  assert.deepEqual(await details({ username: 'localhost' }), { username: ['ERR_RESERVED'] })
  assert.deepEqual(await details({ email: '' }), { email: ['ERR_BLANK'] })
  for (const locale of ['hello', '%%']) assert.deepEqual(await details({ locale }), { locale: ['ERR_INCLUSION'] })
  assert.deepEqual(await details({ email: 'nobody' }), { email: ['ERR_INVALID'] })
  assert.deepEqual(await details({ password: '' }), { password: ['ERR_BLANK'] })
  assert.deepEqual(await details({ password: 'seven77' }), { password: ['ERR_TOO_SHORT'] })
  assert.deepEqual(await details({ password: 'ä'.repeat(37) }), { password: ['ERR_TOO_LONG'] })
  assert.deepEqual(await details({ agreement: false }), { agreement: ['ERR_ACCEPTED'] })
  assert.deepEqual(await details({ reason: 'x'.repeat(421) }), { reason: ['ERR_TOO_LONG'] })
  const all = await server.send('POST', '/api/v1/accounts', { token: appToken, json: {} })
  assert.equal(all.status, 422)
  assert.equal(
    all.json.error,
    "Validation failed: Username can't be blank, E-mail address can't be blank, Password can't be blank, Service agreement must be accepted",
  )
  assert.deepEqual(all.json.details.agreement, [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }])
})

test("only an application's own token signs people up, not the token of a user", async () => {
  const { token } = await server.person('signedin', { scopes: ['read', 'write'] })
  const answer = await register({ username: 'second', email: 'second@mail.test' }, token)
  const text = 'This method requires an client credentials authentication'
  assert.deepEqual([answer.status, answer.json.error], [403, text])
  assert.equal((await register({ username: 'second', email: 'second@mail.test' }, null)).status, 401)
})

test('user names and addresses are unique without regard to case; blocked mail domains include their subdomains', async () => {
  await server.person('taken', { email: 'taken@mail.test' })
  assert.deepEqual(await details({ username: 'TAKEN', email: 'Taken@Mail.test' }), {
    username: ['ERR_TAKEN'],
    email: ['ERR_TAKEN'],
  })
  await server.ctx.db.run(sql`insert into email_domain_blocks (domain) values ('spam.test')`)
  assert.deepEqual(await details({ email: 'a@spam.test' }), { email: ['ERR_BLOCKED'] })
  assert.deepEqual(await details({ email: 'a@mx.SPAM.test' }), { email: ['ERR_BLOCKED'] })
  assert.equal((await register({ username: 'nospam', email: 'a@notspam.test' })).status, 200)
})

test('concurrent sign-ups cannot take the same name or address', async () => {
  const answers = await Promise.all([
    register({ username: 'twin', email: 'one@mail.test' }),
    register({ username: 'Twin', email: 'two@mail.test' }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
  assert.deepEqual(answers.find(({ status }) => status === 422)?.json.details, {
    username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
  })
  const sameAddress = await Promise.all([
    register({ username: 'first', email: 'same@mail.test' }),
    register({ username: 'second', email: 'SAME@mail.test' }),
  ])
  assert.deepEqual(sameAddress.map(({ status }) => status).toSorted(), [200, 422])
})

test('a new confirmation mail can be requested by the signing-up application until the address is confirmed', async () => {
  const token = (await register({ username: 'late', email: 'typo@mail.test' })).json.access_token
  const resend = (json: unknown = {}, as = token): Promise<Answer> =>
    server.send('POST', '/api/v1/emails/confirmations', { token: as, json })
  const first = await linkTo(server, 'typo@mail.test')
  assert.deepEqual((await resend()).json, {})
  assert.equal((await mailsTo(server, 'typo@mail.test')).length, 2)
  assert.equal((await browser(server).get(first)).status, 404, 'a new link replaces the old one')

  assert.deepEqual((await resend({ email: 'nonsense' })).json.details, {
    email: [{ error: 'ERR_INVALID', description: 'is invalid' }],
  })
  assert.equal((await resend({ email: 'taken@mail.test' })).status, 422)
  const typo = await linkTo(server, 'typo@mail.test')
  assert.equal((await resend({ email: 'right@mail.test' })).status, 200)
  assert.equal((await browser(server).get(typo)).status, 404)

  const { json: app } = await server.send('POST', '/api/v1/apps', {
    json: { client_name: 'Other', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  })
  const { user_id: userId } = await server.ctx.db.one<{ user_id: string }>(
    sql`select id as user_id from users where email = 'right@mail.test'`,
  )
  const foreign = await issueToken(server.ctx, { appId: app.id, userId, scopes: ['write'] })
  assert.equal((await resend({}, foreign.token)).status, 403)
  const { created_by_app_id: appId } = await server.ctx.db.one<{ created_by_app_id: string }>(
    sql`select created_by_app_id from users where id = ${userId}`,
  )
  const reading = await issueToken(server.ctx, { appId, userId, scopes: ['read', 'write:statuses'] })
  assert.equal((await resend({}, reading.token)).json.error, 'This action is outside the authorized scopes')

  await beforeCommit(
    server,
    (tx) => sendConfirmation(tx, userId),
    () => resend(),
  )
  const mails = await eventually(async () => {
    const sent = await mailsTo(server, 'right@mail.test')
    return sent.length === 3 && sent
  })
  const opened = []
  for (const { text } of mails)
    opened.push(await browser(server).get(/http\S+confirmation_token=\S+/.exec(text)?.[0] ?? ''))
  assert.deepEqual(opened.map(({ status }) => status).toSorted(), [200, 404, 404], 'one link works')
  const late = await resend()
  assert.deepEqual(
    [late.status, late.json.error],
    [403, 'This method is only available while the e-mail is awaiting confirmation'],
  )
  assert.equal((await server.send('POST', '/api/v1/emails/confirmations', { token: appToken })).status, 401)
})

test('with approval required, sign-up needs a reason and the login stays pending after confirmation', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'approved', require_invite_text: true })
  assert.deepEqual(await details({ reason: ' ' }), { reason: ['ERR_BLANK'] })
  const token = (await register({ username: 'hopeful', email: 'hopeful@mail.test', reason: 'I like rooks' })).json
    .access_token
  const page = await browser(server).get(await linkTo(server, 'hopeful@mail.test'))
  assert.match(page.text, /review your application/)
  const refused = await server.send('GET', '/api/v1/accounts/verify_credentials', { token })
  assert.deepEqual([refused.status, refused.json.error], [403, 'Your login is currently pending approval'])
  assert.equal((await server.send('GET', '/api/v1/emails/check_confirmation', { token })).text, 'true')

  for (const username of ['patient', 'watched'])
    await register({ username, email: `${username}@mail.test`, reason: 'I like rooks' })
  await saveSettings(server.ctx, { registrations_mode: 'open', require_invite_text: false })
  await server.database.raw(`
    insert into username_blocks (username, normalized_username, exact, allow_with_approval) values ('watched', 'watched', true, true)`)
  const confirmed = async (name: string): Promise<string> =>
    (await browser(server).get(await linkTo(server, `${name}@mail.test`))).text
  assert.match(await confirmed('patient'), /Your account is ready/, 'registrations are open by now')
  assert.match(await confirmed('watched'), /review your application/, 'a block asks for the approval')
  await server.database.raw('delete from username_blocks')
})

test('sign-up checks the date of birth against the minimum age', async () => {
  await saveSettings(server.ctx, { min_age: 16 })
  assert.deepEqual(await details({}), { date_of_birth: ['ERR_BLANK'] })
  for (const date of ['2001-02-30', '30.02.2001', '1.2.2001'])
    assert.deepEqual(await details({ date_of_birth: date }), { date_of_birth: ['ERR_INVALID'] }, date)
  const adult = { username: 'dayfirst', email: 'dayfirst@mail.test', date_of_birth: '31.12.1990' }
  assert.equal((await register(adult)).status, 200)
  const today = new Date().toISOString().slice(5, 10).replace('02-29', '02-28')
  const year = new Date().getUTCFullYear()
  assert.deepEqual(await details({ date_of_birth: `${year - 15}-${today}` }), { date_of_birth: ['ERR_BELOW_LIMIT'] })
  assert.equal(
    (await register({ username: 'sixteen', email: 'sixteen@mail.test', date_of_birth: `${year - 16}-${today}` }))
      .status,
    200,
  )
  await saveSettings(server.ctx, { min_age: null })
})

test('closed registrations answer 403', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'none' })
  const answer = await register({ username: 'nobody', email: 'nobody@mail.test' })
  assert.deepEqual([answer.status, answer.json.error], [403, 'This action is not allowed'])
  await saveSettings(server.ctx, { registrations_mode: 'open' })
})
