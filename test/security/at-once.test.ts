import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { resetPasswordByLink } from '../../src/actions/auth/change-password.ts'
import { sql } from '../../src/db/sql.ts'
import type { Context } from '../../src/context.ts'
import { deleteAccount, purgeRemoteAccount } from '../support/acts.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { linkTo } from '../support/mail.ts'
import { uploadImage } from '../support/images.ts'
import { beforeCommit } from '../support/races.ts'
import { eventually, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'

// Races: the state changes between a request's check and its write.

const { server, ada } = await stage({ accounts: ['ada'], env: { OAUTH_PASSWORD_GRANT: 'true' } })

const post = (who: Person): Promise<any> => who.post('/api/v1/statuses', { status: 'said' })
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

test('concurrent posts, edits and a deletion that claim the same media attachment: exactly one succeeds', async () => {
  const [one, other] = [await post(ada), await post(ada)]
  for (let round = 0; round < 8; round++) {
    const media_ids = [await uploadImage(ada)]
    const answers = await Promise.all([
      ada.send('PUT', `/api/v1/statuses/${one.id}`, { json: { status: `one ${round}`, media_ids } }),
      ada.send('PUT', `/api/v1/statuses/${other.id}`, { json: { status: `other ${round}`, media_ids } }),
      ada.send('POST', '/api/v1/statuses', { json: { status: 'third', media_ids } }),
      ada.send('DELETE', `/api/v1/media/${media_ids[0]}`),
    ])
    assert.equal(statuses(answers).filter((status) => status === 200).length, 1, statuses(answers).join())
    const holders = await server.ctx.db.many(sql`select id from statuses where ${media_ids[0]} = any(media_ids)`)
    assert.ok(holders.length <= 1)
  }
})

test('a confirmation link does not confirm an address that replaces the mailed one at the same moment', async () => {
  const token = await server.token({ scopes: ['read', 'write'] })
  const form = { password: 'correct horse battery', agreement: true }
  const people = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const json = { ...form, username: `new${i}`, email: `new${i}@mail.test` }
      const { access_token } = (await server.send('POST', '/api/v1/accounts', { token, json })).json
      return { i, token: access_token as string, link: await linkTo(server, json.email) }
    }),
  )
  await Promise.all(
    people.flatMap((person) => [
      server.send('POST', '/api/v1/emails/confirmations', {
        token: person.token,
        json: { email: `victim${person.i}@mail.test` },
      }),
      browser(server).get(person.link),
    ]),
  )
  const taken = await server.ctx.db.many(
    sql`select email from users where email like 'victim%' and confirmed_at is not null or unconfirmed_email is not null`,
  )
  assert.deepEqual(taken, [])
})

/** Opens the mailed link. The result sends the form behind it. */
async function openReset({ email }: Person): Promise<() => Promise<Page>> {
  const owner = browser(server)
  await owner.submit(await owner.get('/auth/password/new'), { 'user[email]': email })
  const page = await owner.get(await linkTo(server, email))
  return () => owner.submit(page, { 'user[password]': 'another good password' })
}

test('a link for a new password locks its user before itself, as a request for another link does', async () => {
  const ida = await server.person('ida')
  const reset = await openReset(ida)
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const { sent } = await server.ctx.transaction(async (tx) => {
    await tx.db.run(sql`select from users where id = ${ida.userId} for no key update`)
    const sent = reset()
    await eventually(async () => (await server.database.raw(waiting)).rows.length > 0)
    await tx.db.run(sql`select from one_time_tokens where user_id = ${ida.userId} for update nowait`)
    return { sent }
  })
  assert.match((await sent).text, /Your new password is set/)
})

const makeApp = async (): Promise<any> => {
  const app = { client_name: 'Client', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' }
  return (await server.send('POST', '/api/v1/apps', { json: app })).json
}

test('no sign-in with the former password outlives a new one that is set at the same moment', async () => {
  const { client_id, client_secret } = await makeApp()
  const app = { client_id, client_secret, grant_type: 'password', scope: 'read' }
  const person = await server.person('resetting')
  const { username, password } = person
  const reset = await openReset(person)
  const thieves = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const client = browser(server)
      const page = await client.get('/auth/sign_in')
      return async (): Promise<unknown> => {
        await delay(i * 10)
        if (i % 4 === 0) return server.send('POST', '/oauth/token', { form: { ...app, username, password } })
        return client.submit(page, { 'user[email]': username, 'user[password]': password })
      }
    }),
  )
  await Promise.all([reset(), ...thieves.map((enter) => enter())])
  const left = await server.ctx.db.one(sql`
    select (select count(*)::int from sessions where user_id = ${person.userId}) as sessions,
      (select count(*)::int from oauth_tokens where user_id = ${person.userId}) as tokens`)
  assert.deepEqual(left, { sessions: 0, tokens: 0 })
})

test('a session that a new password ends gives out no codes and changes no address at the same moment', async () => {
  const { client_id } = await makeApp()
  const query = { response_type: 'code', client_id, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob', scope: 'read' }
  const person = await server.person('robbed')
  const { username, password } = person
  const reset = await openReset(person)
  const thief = browser(server)
  await thief.signIn(username, password)
  const consent = await thief.get(`/oauth/authorize?${new URLSearchParams(query)}`)
  const settings = await thief.get('/auth/edit')
  const change = (kind: string, value: string): Promise<unknown> =>
    thief.submit(
      settings,
      { [`user[${kind}]`]: value, [`${kind}[current_password]`]: password },
      { action: `/auth/edit/${kind}` },
    )
  let isReset = false
  const repeat = async (act: () => Promise<unknown>): Promise<void> => {
    while (!isReset) await act()
  }
  await Promise.all([
    reset().then(() => (isReset = true)),
    ...Array.from({ length: 6 }, () => repeat(() => thief.submit(consent, {}, { action: '/oauth/authorize' }))),
    ...Array.from({ length: 3 }, (_, i) => repeat(() => change('email', `thief${i}@evil.test`))),
  ])
  const left = await server.ctx.db.one(sql`
    select unconfirmed_email, (select count(*)::int from oauth_grants where user_id = users.id) as grants
    from users where id = ${person.userId}`)
  assert.deepEqual(left, { unconfirmed_email: null, grants: 0 })
  assert.equal((await browser(server).signIn(username, 'another good password')).location, '/')
})

/** A thief with a session of the new user `name` acts just before a new password is stored. Returns the user and what is shown. */
async function duringReset(
  name: string,
  act: (thief: Browser, person: Person) => Promise<() => Promise<Page>>,
): Promise<{ person: Person; shown: Page }> {
  const person = await server.person(name)
  const [thief, owner] = [browser(server), browser(server)]
  await thief.signIn(person.username, person.password)
  const send = await act(thief, person)
  await owner.submit(await owner.get('/auth/password/new'), { 'user[email]': person.email })
  const link = new URL(await linkTo(server, person.email), server.url)
  const token = link.searchParams.get('reset_password_token') ?? ''
  const reset = async (tx: Context): Promise<void> =>
    assert.equal(await resetPasswordByLink(tx, token, 'another good password'), person.userId)
  return { person, shown: await beforeCommit(server, reset, send) }
}

test('a session that a new password is ending sets no other password', async () => {
  const { person } = await duringReset('holder', async (thief, { password }) => {
    const page = await thief.get('/auth/edit')
    const fields = { 'user[password]': 'the password of a thief', 'password[current_password]': password }
    return () => thief.submit(page, fields, { action: '/auth/edit/password' })
  })
  assert.equal((await browser(server).signIn(person.username, 'another good password')).location, '/')
})

test('a session that a new password is ending gets no token of an own application', async () => {
  const path = '/settings/applications'
  const { person, shown } = await duringReset('developer', async (thief) => {
    const page = await thief.submit(await thief.get(path), { name: 'Bot', scopes: 'read' }, { action: path })
    assert.match(page.text, /Bot/)
    return () => thief.get(path)
  })
  assert.doesNotMatch(shown.text, /Bot/)
  const left = await server.ctx.db.many(
    sql`select id from oauth_tokens where user_id = ${person.userId} and session_id is null`,
  )
  assert.deepEqual(left, [])
})

test('unlocking an account while follow requests arrive accepts all of them', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => server.person(`asker${i}`)))
  for (let round = 0; round < 3; round++) {
    const host = await server.person(`host${round}`)
    await ada.send('GET', '/api/v1/preferences')
    await host.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
    await Promise.all([
      ...people.map((person) => person.post(`/api/v1/accounts/${host.id}/follow`)),
      host.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: false } }),
    ])
    assert.deepEqual(await host.get('/api/v1/follow_requests'), [])
    assert.equal((await host.get('/api/v1/accounts/verify_credentials')).followers_count, people.length)
  }
})

test('posts, follows, boosts and favourites made during the deletion of their account do not outlive it', async () => {
  const bob = await server.person('bob')
  const { id } = await post(ada)
  const page = await browser(server)
  await page.signIn('bob', bob.password)
  const form = await page.get('/settings/delete')
  const requests = Array.from({ length: 12 }, () => [
    bob.send('POST', '/api/v1/statuses', { json: { status: 'last words', in_reply_to_id: id } }),
    bob.send('POST', `/api/v1/accounts/${ada.id}/follow`),
    bob.send('POST', `/api/v1/accounts/${ada.id}/unfollow`),
    bob.send('POST', `/api/v1/statuses/${id}/reblog`),
  ]).flat()
  const [gone, ...answers] = await Promise.all([
    page.submit(form, { username: 'bob', current_password: bob.password }, { action: '/settings/delete' }),
    ...requests,
  ])
  assert.match(gone.location, /deleted/)
  assert.deepEqual(
    statuses(answers).filter((status) => status >= 500),
    [],
  )
  const left = await server.ctx.db.one(sql`
    select (select count(*)::int from statuses where account_id = ${bob.id}) as statuses,
      (select count(*)::int from follows where account_id = ${bob.id}) as follows`)
  assert.deepEqual(left, { statuses: 0, follows: 0 })
  const status = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([status.replies_count, status.reblogs_count, status.account.followers_count], [0, 0, 0])
  const late = await server.person('late')
  await beforeCommit(
    server,
    (tx) => deleteAccount(tx, late.id),
    () => late.send('POST', `/api/v1/statuses/${id}/favourite`),
  )
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).favourites_count, 0)
  assert.deepEqual(await ada.get('/api/v1/notifications?types[]=favourite'), [])
})

test('a post or an edit that mentions a remote account which is deleted meanwhile is stored without the mention', async () => {
  const { id } = await post(ada)
  const mentioning = (name: string): object => ({ json: { status: `hello @${name}@far.test` } })
  for (const [name, method, path] of [
    ['eve', 'POST', '/api/v1/statuses'],
    ['fay', 'PUT', `/api/v1/statuses/${id}`],
  ] as const) {
    const remote = await remoteAuthor(server, name, 'far.test')
    const { status, json } = await beforeCommit(
      server,
      (tx) => purgeRemoteAccount(tx, remote.id),
      () => ada.send(method, path, mentioning(name)),
    )
    assert.deepEqual([status, json.mentions], [200, []], method)
  }
})

test('requests on statuses and accounts that are deleted meanwhile never end in a server error', async () => {
  const [list, filter] = [
    await ada.post('/api/v1/lists', { title: 'some' }),
    await ada.post('/api/v2/filters', { title: 'some', context: ['home'] }),
  ]
  for (let round = 0; round < 6; round++) {
    const carl = await server.person(`carl${round}`)
    await ada.post(`/api/v1/accounts/${carl.id}/follow`)
    const [mine, theirs] = [await post(ada), await post(carl)]
    const answers = await Promise.all([
      ada.send('POST', `/api/v1/statuses/${mine.id}/pin`),
      ada.send('POST', `/api/v1/statuses/${mine.id}/mute`),
      ada.send('POST', `/api/v1/statuses/${mine.id}/bookmark`),
      ada.send('POST', `/api/v2/filters/${filter.id}/statuses`, { json: { status_id: mine.id } }),
      ada.send('PUT', `/api/v1/statuses/${mine.id}`, { json: { status: 'edited' } }),
      ada.send('DELETE', `/api/v1/statuses/${mine.id}`),
      ada.send('POST', `/api/v1/statuses/${theirs.id}/favourite`),
      ada.send('POST', '/api/v1/statuses', { json: { status: 'see', quoted_status_id: theirs.id } }),
      ada.send('POST', '/api/v1/statuses', { json: { status: `@carl${round} yes`, in_reply_to_id: theirs.id } }),
      ada.send('POST', `/api/v1/accounts/${carl.id}/note`, { json: { comment: 'nice' } }),
      ada.send('POST', `/api/v1/accounts/${carl.id}/mute`),
      ada.send('POST', `/api/v1/lists/${list.id}/accounts`, { json: { account_ids: [carl.id] } }),
      ada.send('POST', `/api/v1/accounts/${carl.id}/endorse`),
      carl.send('DELETE', `/api/v1/statuses/${theirs.id}`),
      // As when a remote account is deleted on its server: the row goes, and all rows that reference it.
      server.ctx
        .transaction((tx) => tx.db.raw('delete from accounts where id = $1', [carl.id]))
        .then(() => ({ status: 200 }) as Answer),
    ])
    assert.deepEqual(
      statuses(answers).filter((status) => status >= 500),
      [],
      statuses(answers).join(),
    )
  }
})

test('what two members of staff delete at the same moment is in the audit log once', async () => {
  const { db } = server.ctx
  const owner = await server.person('owner', { role: 'owner' })
  const tab = await signedIn(server, owner)
  await db.run(sql`insert into webhooks (url, events, secret) values ('https://hooks.test/', '{status.created}', '')`)
  await db.run(sql`insert into relays (inbox_url, state) values ('https://relay.test/inbox', 'accepted')`)
  await db.run(sql`insert into block_lists (title, url, mode) values ('List', 'https://lists.test/', 'ask')`)
  const { csrf_token = '' } = (await tab.get('/admin/webhooks')).forms.at(-1)?.fields ?? {}
  for (const table of ['webhooks', 'relays', 'block_lists']) {
    const { id } = (await server.database.raw(`select id from ${table}`)).rows[0]
    const late = await beforeCommit(
      server,
      (tx) => tx.db.raw(`delete from ${table} where id = $1`, [id]),
      () => tab.post(`/admin/${table}/${id}/delete`, { csrf_token, confirmed: '1' }),
    )
    assert.equal(late.status, 404, table)
  }
  assert.deepEqual(await db.many(sql`select from audit_log where action = 'delete'`), [])
})
