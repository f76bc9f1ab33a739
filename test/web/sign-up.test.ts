import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { cleanUp, saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Page, signedIn } from '../support/forms.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'], env: { REGISTRATIONS_MODE: '' } })
const appToken = await server.token({ scopes: ['read', 'write'] })

let count = 0
const fields = (name: string, more: Record<string, string> = {}): Record<string, string> => ({
  'user[username]': name,
  'user[email]': `${name}@mail.test`,
  'user[password]': 'correct horse battery',
  'user[agreement]': '1',
  ...more,
})
const join = async (name: string, path = '/auth/sign_up', more: Record<string, string> = {}): Promise<Page> => {
  const tab = browser(server)
  return tab.submit(await tab.get(path), fields(name, more), { action: '/auth/sign_up' })
}
const isApproved = async (name: string): Promise<boolean | null> =>
  (
    await server.ctx.db.maybe<{ approved: boolean }>(
      sql`select approved from users u join accounts a on a.id = u.account_id where a.username = ${name}`,
    )
  )?.approved ?? null

/** Creates an invitation on the page of its user, and returns the path of its link. */
async function invite(options: Record<string, string> = {}): Promise<string> {
  const tab = await signedIn(server, ada)
  const page = await tab.submit(
    await tab.get('/invites'),
    { max_uses: '1', expires_in: '86400', comment: `for ${++count}`, ...options },
    { action: '/invites' },
  )
  assert.equal(page.status, 200, page.text)
  const link = /https?:\/\/[^<]+(\/invite\/\w{12})</.exec(page.text)
  assert.ok(page.text.indexOf('name="max_uses"') > Number(link?.index), 'the link stands before the form for the next')
  assert.ok(link, page.text)
  return link[1] as string
}

test('an invitation opens a closed server once, even for two at the same moment, and follows the inviter', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'none' })
  assert.equal((await browser(server).get('/auth/sign_up')).status, 403)
  const path = await invite({ autofollow: '1' })
  const code = path.slice('/invite/'.length)
  for (const accept of ['application/json', 'application/activity+json'])
    assert.deepEqual((await server.send('GET', path, { headers: { accept } })).json, {
      invite_code: code,
      instance_api_url: `${server.ctx.config.baseUrl}/api/v2/instance`,
    })
  const opened = await browser(server).get(path)
  assert.match(opened.text, /@ada invites you to join/)
  const tabs = [browser(server), browser(server)]
  const forms = await Promise.all(tabs.map((tab) => tab.get(path)))
  const pages = await Promise.all(
    tabs.map((tab, i) => tab.submit(forms[i] as Page, fields(i === 0 ? 'first' : 'second'))),
  )
  assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 403])
  const [winner, loser] = pages[0]?.status === 200 ? ['first', 'second'] : ['second', 'first']
  assert.deepEqual([await isApproved(winner), await isApproved(loser)], [true, null])
  const late = await browser(server).get(path)
  assert.equal(late.status, 403)
  assert.match(late.text, /This invitation has expired or was used up/)
  const gone = await server.send('GET', path, { headers: { accept: 'application/json' } })
  assert.deepEqual([gone.status, gone.json.error], [401, 'This invitation has expired or does not exist'])

  assert.equal((await browser(server).get(await linkTo(server, `${winner}@mail.test`))).status, 200)
  const { json: account } = await server.send('GET', `/api/v1/accounts/lookup?acct=${winner}`)
  await eventually(async () => (await ada.get(`/api/v1/accounts/relationships?id[]=${account.id}`))[0].followed_by)
})

test('an invitation works for applications and replaces the approval, until it is ended', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'approved', require_invite_text: true })
  const path = await invite({ max_uses: '5' })
  const register = (username: string, invite_code: string) =>
    server.send('POST', '/api/v1/accounts', {
      token: appToken,
      json: {
        username,
        email: `${username}@mail.test`,
        password: 'correct horse battery',
        agreement: true,
        locale: 'en',
        invite_code,
      },
    })
  assert.equal((await register('viaapp', path.slice(8))).status, 200)
  assert.equal(await isApproved('viaapp'), true)
  assert.deepEqual(Object.keys((await register('lied', 'wrong-code-xx')).json.details), ['reason'])
  const joined = await join('viapage', path)
  assert.equal(joined.status, 200, joined.text)
  assert.doesNotMatch(joined.text, /review your application/)
  const owner = await signedIn(server, ada)
  const mine = await owner.get('/invites')
  assert.match(mine.text, /Used 2 of 5 times/)
  const ends = mine.forms.find(({ action }) => action.endsWith('/end'))?.action ?? ''
  const other = await server.person('other')
  const outsider = await signedIn(server, other)
  const foreign = await outsider.post(ends, {
    csrf_token: (await outsider.get('/invites')).forms[0]?.fields.csrf_token ?? '',
  })
  assert.equal(foreign.status, 404, 'another user cannot end it')
  const ended = await Promise.all([1, 2].map(() => owner.submit(mine, {}, { action: ends })))
  for (const { text } of ended) assert.match(text, /can no longer be used/)
  assert.equal((await register('toolate', path.slice(8))).status, 422)
})

test('an inviter who has moved away is not followed, and staff still hear of the sign-up', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'none' })
  const boss = await server.person('hostess', { role: 'owner' })
  const path = await invite({ autofollow: '1' })
  await server.ctx.db.run(sql`update accounts set moved_to_id = ${boss.id} where id = ${ada.id}`)
  assert.equal((await join('lonely', path)).status, 200)
  await browser(server).get(await linkTo(server, 'lonely@mail.test'))
  await server.drain()
  const [notification] = await boss.get('/api/v1/notifications?types[]=admin.sign_up')
  assert.equal(notification.account.username, 'lonely')
  const { rows } = await server.database.raw(
    `select from follows where target_account_id = $1
    and account_id = (select id from accounts where username = 'lonely' and domain is null)`,
    [ada.id],
  )
  assert.equal(rows.length, 0)
  await server.ctx.db.run(sql`update accounts set moved_to_id = null where id = ${ada.id}`)
})

test('an expired invitation, and one of a user who may not act, cannot be used', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'none', require_invite_text: false })
  const expired = await invite()
  await server.ctx.db.run(
    sql`update invites set expires_at = now() - interval '1 second' where code = ${expired.slice(8)}`,
  )
  assert.equal((await browser(server).get(expired)).status, 403)
  const path = await invite()
  await server.ctx.db.run(sql`update users set disabled = true where id = ${ada.userId}`)
  assert.equal((await browser(server).get(path)).status, 403)
  await server.ctx.db.run(sql`update users set disabled = false where id = ${ada.userId}`)
  assert.equal((await browser(server).get(path)).status, 200)
  assert.equal((await browser(server).get('/invite/nonsense')).status, 403)
  await saveSettings(server.ctx, { registrations_mode: 'open' })
})

test('an open server says when an invitation has ended, and names its rules and its policy', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'open' })
  await server.ctx.db.run(sql`insert into rules (text, hint) values ('Be kind', 'To <birds>')`)
  const path = await invite()
  await server.ctx.db.run(sql`update invites set expires_at = now()`)
  const page = await browser(server).get(path)
  assert.match(page.text, /This invitation has expired or was used up/)
  assert.match(page.text, /<ol><li><bdi>Be kind<\/bdi><br><bdi class="muted">To &lt;birds&gt;<\/bdi><\/li><\/ol>/)
  assert.match(page.text, /href="\/privacy-policy"/)
  assert.doesNotMatch(page.text, /role="region"/)
  await server.ctx.db.run(sql`insert into rules (text) select 'Rule ' || n from generate_series(1, 10) n`)
  const many = await browser(server).get(path)
  assert.match(many.text, /role="region" aria-labelledby="rules" tabindex="0"><ol>[^]*Rule 10/, 'they scroll')
  assert.equal((await join('openly', path)).status, 200)
  assert.equal(await isApproved('openly'), true)
  await server.ctx.db.run(sql`delete from rules`)
})

test('a refused invitation form keeps what was typed, and a user has at most a hundred invitations', async () => {
  const eva = await server.person('eva')
  const tab = await signedIn(server, eva)
  const long = await tab.submit(await tab.get('/invites'), { comment: 'x'.repeat(421) }, { action: '/invites' })
  assert.deepEqual([long.status, /too long[^]*x{421}/.test(long.text)], [422, true])
  await server.ctx.db.run(sql`
    insert into invites (user_id, code, comment, autofollow) select ${eva.userId}, 'hundred' || n, '', false from generate_series(1, 100) n`)
  const many = await tab.submit(await tab.get('/invites'), { comment: 'one more' }, { action: '/invites' })
  assert.deepEqual([many.status, /100/.test(many.text)], [422, true])
  assert.equal((await tab.post('/invites/x/end', { ...many.forms[0]?.fields })).status, 404)
})

test('a user whose role may not invite has no form, and cannot send one', async () => {
  await server.ctx.db.run(sql`update roles set permissions = 0 where id = -99`)
  const tab = browser(server)
  const other = await server.person('uninviting')
  await tab.signIn(other.email, other.password)
  const page = await tab.get('/invites')
  assert.match(page.text, /does not let you invite/)
  const csrf_token = (await tab.get('/settings/preferences')).forms.at(-1)?.fields.csrf_token ?? ''
  const refused = await tab.post('/invites', { csrf_token })
  assert.deepEqual([refused.status, /does not let you invite/.test(refused.text)], [403, true])
  await server.ctx.db.run(sql`update roles set permissions = 65536 where id = -99`)
})

/** What `captcha.js` does in browsers. */
async function solve(page: Page): Promise<string> {
  const json = /data-captcha="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const challenge = JSON.parse(json)
  const solution = await solveChallenge({ challenge, deriveKey })
  return JSON.stringify({ challenge, solution: { counter: solution?.counter, derivedKey: solution?.derivedKey } })
}

test('the proof of work is required once per sign-up, and nothing typed is lost without it', async () => {
  await saveSettings(server.ctx, { captcha_enabled: true })
  const tab = browser(server)
  const page = await tab.get('/auth/sign_up')
  assert.match(page.text, /<noscript>.*needs JavaScript/)
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  for (const nonsense of [
    '',
    'x',
    '{}',
    '[]',
    'null',
    '{"challenge":{"parameters":{}},"solution":{}}',
    '"'.repeat(5000),
  ]) {
    const refused = await tab.submit(page, fields('robot', { 'user[captcha]': nonsense }))
    assert.equal(refused.status, 422, nonsense)
    assert.match(refused.text, /value="robot@mail.test"/)
    assert.match(refused.text, /Proof of work is missing or was used before/)
  }
  const solution = await solve(page)
  const forged = solution.replace(/"keyPrefix":"(..)/, '"keyPrefix":"')
  assert.equal((await tab.submit(page, fields('robot', { 'user[captcha]': forged }))).status, 422)
  const both = await Promise.all([
    tab.submit(page, fields('human', { 'user[captcha]': solution })),
    tab.submit(page, fields('copycat', { 'user[captcha]': solution })),
  ])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422])
  assert.equal((await tab.submit(page, fields('again', { 'user[captcha]': solution }))).status, 422)
})

test('a user who signs up through an application does the proof of work when confirming the address', async () => {
  const json = {
    username: 'appuser',
    email: 'appuser@mail.test',
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
  }
  const { json: token } = await server.send('POST', '/api/v1/accounts', { token: appToken, json })
  const link = await linkTo(server, 'appuser@mail.test')
  const tab = browser(server)
  const page = await tab.get(link)
  assert.match(page.text, /One more step/)
  assert.equal(
    (await server.send('GET', '/api/v1/emails/check_confirmation', { token: token.access_token })).text,
    'false',
  )
  assert.equal((await tab.submit(page)).status, 422)
  const done = await tab.submit(page, { captcha: await solve(page) })
  assert.match(done.text, /Your e-mail address is confirmed/)
  assert.equal(
    (await server.send('GET', '/api/v1/emails/check_confirmation', { token: token.access_token })).text,
    'true',
  )
  await saveSettings(server.ctx, { captcha_enabled: false })
})

test('blocked networks and names are explained on the page', async () => {
  await server.ctx.db.run(sql`insert into ip_blocks (ip, severity) values ('127.0.0.0/8', 'sign_up_block')`)
  const blocked = await browser(server).get('/auth/sign_up')
  assert.equal(blocked.status, 403)
  assert.match(blocked.text, /do not accept sign-ups from your network/)
  await server.ctx.db.run(sql`update ip_blocks set severity = 'sign_up_requires_approval'`)
  const page = await join('networked')
  assert.match(page.text, /review your application/)
  assert.equal(await isApproved('networked'), false)
  await server.ctx.db.run(sql`delete from ip_blocks`)
  await server.ctx.db.run(sql`
    insert into username_blocks (username, normalized_username, exact, allow_with_approval)
    values ('Bank', 'bank', false, false), ('Elon', 'eion', true, true)`)
  for (const name of ['my_bank', 'B4nk', 'b_a_n_k_1']) {
    const refused = await join(name)
    assert.equal(refused.status, 422, name)
    assert.match(refused.text, /Username is reserved/)
  }
  assert.equal((await join('banjo')).status, 200)
  assert.equal((await join('E1on')).status, 200)
  assert.deepEqual([await isApproved('E1on'), (await join('Elon_Fan')).status], [false, 200])
  assert.equal(await isApproved('Elon_Fan'), true)
  await server.ctx.db.run(sql`delete from username_blocks`)
})

test('the minimum age is checked on the page, and the date is not stored', async () => {
  await saveSettings(server.ctx, { min_age: 16 })
  const year = new Date().getUTCFullYear()
  const young = await join('toddler', '/auth/sign_up', { 'user[date_of_birth]': `${year - 3}-01-01` })
  assert.equal(young.status, 422)
  assert.match(young.text, /Date of birth is below the age limit/)
  assert.match(young.text, new RegExp(`value="${year - 3}-01-01"`), 'what was typed stays')
  assert.equal((await join('grownup', '/auth/sign_up', { 'user[date_of_birth]': '1985-07-31' })).status, 200)
  const rows = await server.ctx.db.many<{ row: string }>(
    sql`select to_jsonb(u)::text as row from users u join accounts a on a.id = u.account_id where a.username = 'grownup'`,
  )
  assert.doesNotMatch(rows[0]?.row ?? '', /1985/)
  await saveSettings(server.ctx, { min_age: null })
})

test('the version of the script is part of its path', async () => {
  await saveSettings(server.ctx, { captcha_enabled: true })
  const path = /src="(\/assets\/captcha\.[0-9a-f]{16}\.js)"/.exec(
    (await browser(server).get('/auth/sign_up')).text,
  )?.[1]
  const script = await server.send('GET', path ?? '')
  assert.equal(script.status, 200)
  assert.ok(path?.includes(createHash('sha256').update(script.text).digest('hex').slice(0, 16)))
  await saveSettings(server.ctx, { captcha_enabled: false })
})

test('open registrations come to need approval when no moderator was active for a week', async () => {
  const { ctx } = server
  const owner = await server.person('overseer', { role: 'owner' })
  const moderator = await server.person('keeper', { role: ['manage_reports'] })
  const { raw } = server.database
  const activeAgo = (days: number) =>
    raw('update users set last_active_at = now() - make_interval(days => $1) where id = $2', [days, moderator.userId])
  const openLongAgo = async () => {
    await saveSettings(ctx, { registrations_mode: 'open' })
    await raw(`update settings set updated_at = now() - interval '8 days' where key = 'registrations_mode'`)
  }
  const run = async (): Promise<string> => {
    await cleanUp(ctx)
    const { registrations } = (await server.send('GET', '/api/v2/instance')).json
    return registrations.approval_required ? 'approved' : 'open'
  }
  await saveSettings(ctx, { registrations_mode: 'open' })
  await raw(`update users set last_active_at = now() - interval '8 days'`)
  assert.equal(await run(), 'open', 'opening them counts as looking after the server')
  await openLongAgo()
  await activeAgo(6)
  assert.equal(await run(), 'open')
  await activeAgo(8)
  await raw('update users set last_active_at = now() where id = $1', [ada.userId])
  assert.equal(await run(), 'approved', 'activity of other users does not count')
  for (const { email } of [moderator, owner]) {
    const mails = (await mailsTo(server, email)).filter(({ subject }) => /registrations.*need approval/i.test(subject))
    assert.equal(mails.length, 1)
    assert.match(mails[0]?.text ?? '', /for 7 days[\s\S]*\/admin\/settings\/registrations/)
  }
  await openLongAgo()
  Object.assign(ctx.config, { registrationsStayOpen: true })
  assert.equal(await run(), 'open')
})
