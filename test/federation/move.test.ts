import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Page, signedIn } from '../support/forms.ts'
import { handleOf, startNetwork, type Network } from '../support/network.ts'
import { befriend, meet } from '../support/federated-people.ts'
import type { Person, TestServer } from '../support/server.ts'
import { relationshipWith } from '../support/relationships.ts'

let network: Network<'alpha' | 'beta' | 'gamma'>
before(async () => {
  network = await startNetwork(['alpha', 'beta', 'gamma'])
})
after(() => network?.stop())

async function addAlias(server: TestServer, person: Person, acct: string): Promise<Page> {
  const tab = await signedIn(server, person)
  const page = await tab.submit(await tab.get('/settings/aliases'), { acct }, { action: '/settings/aliases' })
  await network.drain()
  return page
}

async function move(server: TestServer, person: Person, acct: string, others = {}): Promise<Page> {
  const tab = await signedIn(server, person)
  const page = await tab.get('/settings/migration')
  const fields = { acct, current_password: person.password, ...others }
  const moved = await tab.submit(page, fields, { action: '/settings/migration' })
  await network.drain()
  return moved
}

test('followers on all servers move along, with lists, notes and options; the old account points to the new one', async () => {
  const { alpha, beta, gamma } = network
  const old = await alpha.person('wanderer')
  const fresh = await beta.person('arrived')
  const near = await alpha.person('near') // follows on the old server
  const there = await beta.person('there') // on the new one
  const third = await gamma.person('third') // on another
  await near.post(`/api/v1/accounts/${old.id}/follow`, { reblogs: false, notify: true })
  const oldOnBeta = await befriend(network, [beta, there], [alpha, old])
  const oldOnGamma = await befriend(network, [gamma, third], [alpha, old])
  await third.post(`/api/v1/accounts/${oldOnGamma}/follow`, { languages: ['en'] })
  const list = await third.post('/api/v1/lists', { title: 'Travellers' })
  await third.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [oldOnGamma] })
  await third.post(`/api/v1/accounts/${oldOnGamma}/note`, { comment: 'met in Graz' })
  await there.post(`/api/v1/accounts/${oldOnBeta}/note`, { comment: 'plays chess' })
  await there.post(`/api/v1/accounts/${fresh.id}/note`, { comment: 'new here' })
  await network.drain()
  const target = handleOf(beta, fresh)

  assert.match((await move(alpha, old, target, { current_password: 'wrong' })).text, /not your current password/)
  assert.match((await move(alpha, old, target)).text, /does not name @wanderer@[^ ]+ as an alias yet/)
  assert.match((await move(alpha, old, target, { lang: 'de' })).text, /nennt @wanderer@[^ ]+ noch nicht als Alias/)
  assert.match((await move(alpha, old, `nobody@${beta.domain}`)).text, /could not be found/)
  assert.match((await move(alpha, old, 'wanderer@' + alpha.domain)).text, /the account that you are in/)
  assert.match((await move(alpha, old, 'gibberish!')).text, /could not be found/)
  assert.equal((await old.send('POST', '/api/v1/statuses', { json: { status: 'still here' } })).status, 200)

  const named = await addAlias(beta, fresh, handleOf(alpha, old))
  assert.match(named.text, /The alias is added[\s\S]*@wanderer@/)
  const done = await move(alpha, old, target)
  assert.match(done.text, /You have moved to <a href="[^"]*arrived"/)

  const newOnAlpha = await meet(alpha, near, beta, fresh)
  const newOnGamma = await meet(gamma, third, beta, fresh)
  const nearTo = await relationshipWith(near, newOnAlpha)
  assert.deepEqual([nearTo.following, nearTo.showing_reblogs, nearTo.notifying], [true, false, true])
  assert.equal((await relationshipWith(near, old.id)).following, false)
  assert.deepEqual(await old.get('/api/v1/notifications?types[]=follow'), [])
  const thereTo = await relationshipWith(there, fresh.id)
  assert.deepEqual([thereTo.following, thereTo.note], [true, 'new here\n\nplays chess'])
  assert.equal((await relationshipWith(there, oldOnBeta)).following, false)
  const thirdTo = await relationshipWith(third, newOnGamma)
  assert.deepEqual([thirdTo.following, thirdTo.languages, thirdTo.note], [true, ['en'], 'met in Graz'])
  assert.equal((await relationshipWith(third, oldOnGamma)).following, false)
  assert.deepEqual(
    (await third.get(`/api/v1/lists/${list.id}/accounts`)).map(({ id }: any) => id),
    [newOnGamma],
  )
  const me = await fresh.get('/api/v1/accounts/verify_credentials')
  assert.equal(me.followers_count, 3)
  assert.equal((await old.get('/api/v1/accounts/verify_credentials')).followers_count, 0)

  for (const [server, person, id] of [
    [alpha, near, old.id],
    [beta, there, oldOnBeta],
    [gamma, third, oldOnGamma],
  ] as const) {
    const account = await person.get(`/api/v1/accounts/${id}`)
    assert.equal(account.moved?.uri, me.uri, server.domain)
    assert.equal((await person.send('POST', `/api/v1/accounts/${id}/follow`)).status, 403)
  }
  const found = async (q: string) =>
    (await near.get(`/api/v2/search?q=${q}&type=accounts`)).accounts.map(({ id }: any) => id)
  assert.deepEqual([await found('@wanderer'), await found('wander')], [[old.id], []], 'only by its whole handle')
  assert.match((await alpha.send('GET', '/@wanderer', { headers: { accept: 'text/html' } })).text, /has moved to/)

  const post = await near.post('/api/v1/statuses', { status: 'Farewell' })
  for (const [path, json] of [
    ['statuses', { status: 'once more' }],
    [`statuses/${post.id}/reblog`, {}],
    [`accounts/${near.id}/follow`, {}],
  ] as const)
    assert.equal((await old.send('POST', `/api/v1/${path}`, { json })).status, 403, path)
  assert.equal((await old.send('GET', '/api/v1/timelines/home')).status, 200, 'reading goes on')
  assert.equal((await old.send('POST', `/api/v1/statuses/${post.id}/bookmark`)).status, 200)
})

test('blocks and mutes move along on a server without followers of the account, and a note says why', async () => {
  const { alpha, beta, gamma } = network
  const [old, fresh] = [await alpha.person('pest'), await beta.person('pest-again')]
  const [blocker, muter] = [await gamma.person('blocker'), await gamma.person('muter')]
  const [calm, patient] = [await gamma.person('calm'), await gamma.person('patient')]
  const oldOnGamma = await meet(gamma, blocker, alpha, old)
  await blocker.post(`/api/v1/accounts/${oldOnGamma}/block`)
  await blocker.post(`/api/v1/accounts/${oldOnGamma}/note`, { comment: 'sells things' })
  await muter.post(`/api/v1/accounts/${oldOnGamma}/mute`)
  await gamma.database.raw(`update users set locale = 'de' where id = $1`, [muter.userId])
  const freshOnGamma = await meet(gamma, blocker, beta, fresh)
  await calm.post(`/api/v1/accounts/${oldOnGamma}/mute`, { duration: 300 })
  await patient.post(`/api/v1/accounts/${oldOnGamma}/mute`)
  await patient.post(`/api/v1/accounts/${freshOnGamma}/mute`, { duration: 300 })
  await gamma.database.raw(`update mutes set expires_at = now() - interval '1 second' where expires_at is not null`)
  await network.drain()
  await addAlias(beta, fresh, handleOf(alpha, old))
  await move(alpha, old, handleOf(beta, fresh))
  const handle = `@${handleOf(alpha, old)}`
  const blocked = await relationshipWith(blocker, freshOnGamma)
  assert.deepEqual(
    [blocked.blocking, blocked.note],
    [true, `sells things\n\n${handle}, which you had blocked, has moved to this account`],
  )
  const muted = await relationshipWith(muter, freshOnGamma)
  assert.deepEqual(
    [muted.muting, muted.note],
    [true, `${handle}, das du stummgeschaltet hattest, ist zu diesem Konto umgezogen`],
  )
  const unmuted = await relationshipWith(calm, freshOnGamma)
  assert.deepEqual([unmuted.muting, unmuted.note], [false, ''], 'an expired mute does not move')
  assert.equal((await relationshipWith(patient, freshOnGamma)).muting, true, 'in place of an expired mute')
})

test('a move can be undone, which former followers see, but not repeated within a month', async () => {
  const { alpha, beta, gamma } = network
  const old = await alpha.person('regret')
  const fresh = await beta.person('regret2')
  const fan = await beta.person('fan')
  const oldOnBeta = await befriend(network, [beta, fan], [alpha, old])
  const third = await gamma.person('fan3')
  const oldOnGamma = await befriend(network, [gamma, third], [alpha, old])
  await addAlias(beta, fresh, handleOf(alpha, old))
  await move(alpha, old, handleOf(beta, fresh))
  const shown = (): Promise<boolean[]> =>
    Promise.all(
      [fan.get(`/api/v1/accounts/${oldOnBeta}`), third.get(`/api/v1/accounts/${oldOnGamma}`)].map(async (account) =>
        Boolean((await account).moved),
      ),
    )
  assert.deepEqual(await shown(), [true, true])
  const tab = await signedIn(alpha, old)
  const page = await tab.get('/settings/migration')
  assert.doesNotMatch(page.text, /current_password/, 'there is nothing to move')
  const token = page.forms.at(-1)?.fields.csrf_token ?? ''
  const twice = { acct: handleOf(beta, fresh), current_password: old.password, csrf_token: token }
  assert.equal((await tab.post('/settings/migration', twice)).status, 422)
  const undone = await tab.submit(page, {}, { action: '/settings/migration/undo' })
  await network.drain()
  assert.match(
    undone.text,
    /this account is in use again[\s\S]*You can move again on[\s\S]*action="\/settings\/migration\/redirect"/,
  )
  assert.deepEqual(await shown(), [false, false])
  assert.equal((await old.send('POST', '/api/v1/statuses', { json: { status: 'back' } })).status, 200)
  assert.equal((await old.get('/api/v1/accounts/verify_credentials')).moved ?? null, null)
  const again = await tab.post('/settings/migration', twice)
  assert.deepEqual([again.status, /You have moved lately/.test(again.text)], [422, true])
})

test('an account can redirect without a move: followers stay, and the new account needs no alias', async () => {
  const { alpha, beta } = network
  const [old, fresh, fan] = [await alpha.person('signpost'), await beta.person('signed'), await beta.person('stays')]
  const oldOnBeta = await befriend(network, [beta, fan], [alpha, old])
  const tab = await signedIn(alpha, old)
  const page = await tab.get('/settings/migration')
  assert.match(page.text, /formaction="\/settings\/migration\/redirect"/)
  const fields = { acct: handleOf(beta, fresh), csrf_token: page.forms.at(-1)?.fields.csrf_token ?? '' }
  assert.equal((await tab.post('/settings/migration/redirect', { ...fields, current_password: 'wrong' })).status, 422)
  const done = await tab.post('/settings/migration/redirect', { ...fields, current_password: old.password })
  await network.drain()
  assert.match(done.text, /Your followers have not moved[\s\S]*You have moved to <a href="[^"]*signed"/)
  assert.equal((await fan.get(`/api/v1/accounts/${oldOnBeta}`)).moved?.id, fresh.id)
  assert.equal((await relationshipWith(fan, oldOnBeta)).following, true)
  assert.equal((await relationshipWith(fan, fresh.id)).following, false)
  assert.equal((await old.send('POST', '/api/v1/statuses', { json: { status: 'no more' } })).status, 403)
})

test('a move works within one server, and to a locked account, which approves followers', async () => {
  const { alpha } = network
  const [old, fresh, fan, other, foe] = (await Promise.all(
    ['before', 'afterwards', 'follower', 'other', 'foe'].map((name) => alpha.person(name)),
  )) as [Person, Person, Person, Person, Person]
  for (const follower of [fan, other]) await follower.post(`/api/v1/accounts/${old.id}/follow`)
  await foe.post(`/api/v1/accounts/${old.id}/block`)
  await fresh.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  await addAlias(alpha, fresh, 'before@' + alpha.domain)
  assert.match((await move(alpha, old, `afterwards@${alpha.domain}`)).text, /You have moved to/)
  assert.deepEqual(
    [(await relationshipWith(fan, fresh.id)).requested, (await relationshipWith(fan, old.id)).following],
    [true, false],
  )
  assert.equal((await relationshipWith(foe, fresh.id)).blocking, true)
  const asking = (await fresh.get('/api/v1/follow_requests')).map(({ id }: any) => id)
  const notified = (await fresh.get('/api/v1/notifications?types[]=follow_request')).map(
    ({ account }: any) => account.id,
  )
  for (const ids of [asking, notified]) assert.deepEqual(ids.toSorted(), [fan.id, other.id].toSorted())
  assert.equal((await fan.get(`/api/v1/accounts/${old.id}`)).moved.id, fresh.id)
  const actor = await alpha.send('GET', '/users/before', { headers: { accept: 'application/activity+json' } })
  assert.equal(actor.json.movedTo, (await fresh.get('/api/v1/accounts/verify_credentials')).uri)
})

test('a move needs the confirmation of both accounts; a repeated Move changes nothing', async () => {
  const { alpha, beta } = network
  const old = await alpha.person('liar')
  const victim = await beta.person('victim')
  const fan = await beta.person('fan2')
  const oldOnBeta = await befriend(network, [beta, fan], [alpha, old])
  // Claims to have moved to an account that does not list it as an alias.
  const victimOnAlpha = await meet(alpha, old, beta, victim)
  const tell = async (moveId: string): Promise<void> => {
    const about = { accountId: old.id, targetAccountId: victimOnAlpha, moveId }
    await alpha.ctx.enqueue('federation.distribute', { activity: 'move', ...about })
    await network.drain()
  }
  await alpha.database.raw('update accounts set moved_to_id = $1 where id = $2', [victimOnAlpha, old.id])
  await tell('1')
  assert.equal((await relationshipWith(fan, oldOnBeta)).following, true)
  assert.equal((await relationshipWith(fan, victim.id)).following, false)
  assert.equal((await fan.get(`/api/v1/accounts/${oldOnBeta}`)).moved ?? null, null)

  // The other agrees, but the profile of the first says nothing of it.
  await addAlias(beta, victim, handleOf(alpha, old))
  await alpha.database.raw('update accounts set moved_to_id = null where id = $1', [old.id])
  await tell('2')
  assert.equal((await relationshipWith(fan, oldOnBeta)).following, true)

  await alpha.database.raw('update accounts set moved_to_id = $1 where id = $2', [victimOnAlpha, old.id])
  for (const id of ['3', '4']) await tell(id)
  assert.equal((await relationshipWith(fan, oldOnBeta)).following, false)
  assert.equal((await relationshipWith(fan, victim.id)).following, true)
  const me = await victim.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([me.followers_count, (await fan.get('/api/v1/accounts/verify_credentials')).following_count], [1, 1])
})

test('an account that the new account blocks keeps the old follow', async () => {
  const { alpha, beta } = network
  const [old, fresh, fan] = [await alpha.person('old5'), await beta.person('new5'), await beta.person('fan5')]
  const oldOnBeta = await befriend(network, [beta, fan], [alpha, old])
  await fresh.post(`/api/v1/accounts/${fan.id}/block`)
  await addAlias(beta, fresh, handleOf(alpha, old))
  await move(alpha, old, handleOf(beta, fresh))
  assert.equal((await relationshipWith(fan, fresh.id)).following, false)
  assert.equal((await relationshipWith(fan, oldOnBeta)).following, true)
})

test('aliases are added, refused and removed, and other servers receive them', async () => {
  const { alpha, beta } = network
  const [one, two] = [await alpha.person('one'), await beta.person('two')]
  assert.match((await addAlias(alpha, one, 'one@' + alpha.domain)).text, /the account that you are in/)
  assert.match((await addAlias(alpha, one, 'nobody@' + beta.domain)).text, /could not be found/)
  assert.match((await addAlias(alpha, one, '<script>')).text, /value="&lt;script&gt;"/)
  const page = await addAlias(alpha, one, handleOf(beta, two))
  const actor = async () =>
    (await alpha.send('GET', '/users/one', { headers: { accept: 'application/activity+json' } })).json
  assert.deepEqual((await actor()).alsoKnownAs, [(await two.get('/api/v1/accounts/verify_credentials')).uri])
  const tab = await signedIn(alpha, one)
  const form = page.forms.find(({ action }) => action === '/settings/aliases/remove')!
  const { csrf_token: _, ...fields } = form.fields
  assert.equal((await tab.post(form.action, fields)).status, 403)
  await tab.submit(await tab.get('/settings/aliases'), {}, { action: '/settings/aliases/remove' })
  assert.equal((await actor()).alsoKnownAs, undefined)
})
