import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpLink } from '../support/acts.ts'
import { browser } from '../support/forms.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage({ env: { REGISTRATIONS_MODE: '' } })

const FILLED = {
  site_title: 'The Rookery',
  registrations_mode: 'approved',
  'user[username]': 'admin',
  'user[email]': 'admin@localhost',
  'user[password]': 'correct horse battery',
}

test('only the newest set-up link works, it creates the owner, and it works once', async () => {
  const old = await setUpLink(server.ctx)
  const link = await setUpLink(server.ctx)
  assert.ok(old)
  assert.ok(old.startsWith(`${server.ctx.config.baseUrl}/auth/setup?token=`))
  assert.ok(link)
  const path = link.slice(server.ctx.config.baseUrl.length)
  const tab = browser(server)
  assert.equal((await tab.get(old.slice(server.ctx.config.baseUrl.length))).status, 404)
  assert.equal((await tab.get('/auth/setup?token=guess')).status, 404)

  const page = await tab.get(path)
  assert.match(page.text, /Welcome to your new server/)
  const refused = await tab.submit(page, { ...FILLED, 'user[password]': 'short' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Password is too short/)
  assert.match(refused.text, /value="approved" checked/)
  assert.match((await tab.submit(page, { ...FILLED, site_title: ' ' })).text, /Give the server a name/)
  const long = await tab.submit(page, { ...FILLED, site_title: 'x'.repeat(300) })
  assert.deepEqual([long.status, /x{300}/.test(long.text)], [422, true])
  assert.match(long.text, /at most 100 characters/, 'as in the settings')
  assert.equal((await tab.get('/auth/setup/done')).location, '/auth/sign_in?next=%2Fauth%2Fsetup%2Fdone')

  const done = await tab.submit(page, FILLED)
  assert.equal(done.location, '/auth/setup/done')
  assert.match(done.text, /Your server is ready[\s\S]*@admin@localhost/)
  assert.match(done.text, /<a href="\/invites">Invitations<\/a>/)
  assert.match((await tab.get('/auth/edit')).text, /The Rookery[\s\S]*admin@localhost/)
  assert.match((await browser(server).get('/auth/sign_up')).text, /review each application/)

  assert.equal(await setUpLink(server.ctx), null)
  assert.equal((await browser(server).get(path)).status, 404)
  assert.equal(
    (await tab.submit(await tab.get('/auth/edit'), { ...FILLED }, { action: '/auth/edit/email' })).status,
    422,
  )
  const { fields = {} } = (await tab.get('/auth/edit')).forms[0] ?? {}
  assert.equal(
    (
      await tab.post('/auth/setup', {
        ...fields,
        ...FILLED,
        token: path.split('=')[1] ?? '',
        'user[username]': 'second',
      })
    ).status,
    404,
  )
})

test('the set-up link stops working once an owner exists', async () => {
  const other = await startTestServer({ REGISTRATIONS_MODE: 'none' })
  try {
    const link = await setUpLink(other.ctx)
    assert.ok(link)
    const tab = browser(other)
    assert.doesNotMatch(
      (await tab.get(link.slice(other.ctx.config.baseUrl.length))).text,
      /Who can sign up/,
      'the environment sets the registrations mode',
    )
    await other.person('boss', { role: 'owner' })
    assert.equal(await setUpLink(other.ctx), null)
    assert.equal((await tab.get(link.slice(other.ctx.config.baseUrl.length))).status, 404)
    assert.match((await tab.get('/auth/sign_up')).text, /Sign-up is closed/)
  } finally {
    await other.stop()
  }
})

test('simultaneous set-ups with one link create one owner', async () => {
  const other = await startTestServer()
  try {
    const path = (await setUpLink(other.ctx))?.slice(other.ctx.config.baseUrl.length) ?? ''
    const pages = await Promise.all(
      ['one', 'one', 'two'].map(async (name) => {
        const tab = browser(other)
        return tab.submit(await tab.get(path), {
          ...FILLED,
          'user[username]': name,
          'user[email]': `${name}@localhost`,
        })
      }),
    )
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 404, 404])
    for (const { status, text } of pages)
      assert.match(text, status === 200 ? /Your server is ready/ : /The server is already set up/)
  } finally {
    await other.stop()
  }
})
