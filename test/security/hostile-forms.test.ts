import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, type Browser } from '../support/forms.ts'
import { stage } from '../support/stage.ts'

// Forms that other sites send, and those with texts that have broken other servers, as in test/api/fuzz.test.ts.

const { server, ada } = await stage({ accounts: ['ada'] })

const PAGES =
  `/auth/sign_in /auth/sign_up /auth/password/new /auth/confirmation/new /auth/confirmation/address /auth/edit /settings/aliases /settings/applications /settings/delete
  /settings/export /settings/import /settings/migration /settings/preferences /settings/profile /settings/sessions /statuses_cleanup
  /settings/two_factor /settings/two_factor/app /authorize_interaction /search`.split(/\s+/)
/** The last is one visible letter of 120 kB. */
const TEXTS = ['\0', 'a\0b', '9223372036854775808', 'x'.repeat(20_000), `a${'\u0301'.repeat(60_000)}`]

test('no form answers hostile field values with a server error', async () => {
  const broken: string[] = []
  /** Pages have forms in common, and those of the settings lead to the same form for signing in. */
  const tried = new Map<Browser, Set<string>>()
  const tryAll = async (who: Browser, path: string): Promise<void> => {
    const page = await who.get(path)
    const sent = tried.get(who) ?? new Set()
    tried.set(who, sent)
    for (const [index, form] of page.forms.entries())
      for (const name of Object.keys(form.fields).filter((field) => field !== 'csrf_token')) {
        if (sent.has(`${form.action} ${name}`)) continue
        sent.add(`${form.action} ${name}`)
        for (const odd of [name, `${name}[a][b]`])
          for (const text of odd === name ? TEXTS.filter((_, k) => (k + sent.size) % 3 === 0) : ['1']) {
            const { [name]: _, ...others } = form.fields
            const fields = { ...others, [odd]: text }
            const { status } = form.multipart
              ? await who.submit(page, { [odd]: text }, { index })
              : form.method.toUpperCase() === 'GET'
                ? await who.get(`${form.action}?${new URLSearchParams(fields)}`)
                : await who.post(form.action, fields)
            if (status >= 500) broken.push(`${status} ${form.action} ${odd} ${text.slice(0, 100)}`)
          }
      }
  }
  const [signedOut, signedIn] = [browser(server), browser(server)]
  await signedIn.signIn(ada.username, ada.password)
  for (const path of PAGES) {
    await tryAll(signedOut, path)
    await tryAll(signedIn, path)
  }
  assert.deepEqual(broken, [])
  assert.ok(new Set([...tried.values()].flatMap((sent) => [...sent])).size > 40)
})

/** What other servers, applications, the share menu of a device, and readers without an account send. */
const NO_FORMS =
  `/actor/inbox /actor/outbox /inbox /users/:username/inbox /users/:username/outbox /users/:username/claim /oauth/token
  /oauth/introspect /oauth/revoke /oauth/userinfo /share /unsubscribe /email_subscriptions/confirm
  /email_subscriptions/unsubscribe /@:username/email_subscriptions`.split(/\s+/)

/** The paths of all forms, from the tree of routes that the router prints. */
function formPaths(): string[] {
  const parts: string[] = []
  const paths = server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indentation = '', part = '', methods = ''] =
        /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \((.*)\))?$/.exec(line) ?? []
      parts.splice(indentation.length / 4, parts.length, part)
      return methods.includes('POST') ? [parts.join('')] : []
    })
  assert.deepEqual(
    NO_FORMS.filter((path) => !paths.includes(path)),
    [],
  )
  return paths.filter((path) => !path.startsWith('/api/') && !NO_FORMS.includes(path))
}

test('every form requires the CSRF token of its session, and refuses other origins', async () => {
  const owner = await server.person('owner', { role: 'owner' })
  const [client, other] = [browser(server), browser(server)]
  await client.signIn(owner.username, owner.password)
  await other.signIn(ada.username, ada.password)
  const tokenOf = async (who: Browser): Promise<string> =>
    (await who.get('/settings/preferences')).forms.at(-1)?.fields.csrf_token ?? ''
  const [own, foreign] = [await tokenOf(client), await tokenOf(other)]
  assert.ok(own && foreign && own !== foreign)
  const paths = formPaths()
  assert.ok(paths.length > 150, `${paths.length} forms`)
  const evil = { origin: 'https://evil.test' }
  const refusals = await Promise.all(
    paths.map(async (path) => {
      const address = path.replaceAll(/:\w+/g, '1')
      const answers = [
        await client.post(address, { csrf_token: foreign }),
        await client.post(address, { csrf_token: own }, evil),
      ]
      return [path, ...answers.map(({ text }) => /(?:too old|from another site)/.exec(text)?.[0])]
    }),
  )
  assert.deepEqual(
    refusals,
    paths.map((path) => [path, 'too old', 'from another site']),
  )
})
