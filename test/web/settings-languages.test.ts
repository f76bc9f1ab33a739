import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import { browser, SETTINGS_PATHS, type Browser, type Page, signedIn } from '../support/forms.ts'
import { englishTextsIn, LANGUAGES, textsIn } from '../support/messages.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const choose = async (tab: Browser, locale: string): Promise<Page> =>
  tab.submit(await tab.get('/settings/preferences'), { locale }, { action: '/settings/preferences' })

/** The pages after their redirects with a notice. */
async function withNotices(tab: Browser): Promise<Page[]> {
  const { settings } = textsIn('en')
  const notices: [string, object][] = [
    ['/settings/profile', { saved: '' }],
    ['/settings/preferences', { saved: '' }],
    ['/auth/edit', settings.account.notices],
    ['/settings/two_factor', settings.two_factor.notices],
    ['/settings/sessions', settings.sessions.notices],
    ['/relationships', settings.relationships.notices],
    ['/settings/export', settings.export.notices],
    ['/settings/aliases', settings.aliases.notices],
    ['/settings/migration', settings.migration.notices],
  ]
  const pages: Page[] = []
  for (const [path, names] of notices)
    for (const name of Object.keys(names)) {
      const page = await tab.get(`${path}?notice=${name}`)
      assert.match(page.text, /class="notice/, `${path} ${name}`)
      pages.push(page)
    }
  return pages
}

/** The pages of forms with invalid input. */
async function withProblems(tab: Browser, person: Person): Promise<Page[]> {
  const wrong = async (path: string, fields: Record<string, string | File>, action = path): Promise<Page> => {
    const page = await tab.submit(await tab.get(path), fields, { action })
    assert.equal(page.status, 422, path)
    return page
  }
  const file = new File(['one\n'], 'list.csv', { type: 'text/csv' })
  const other = new File(['Account address,Hide notifications\na@far.test,true\n'], 'list.csv', { type: 'text/csv' })
  const current_password = person.password
  return [
    await wrong('/settings/profile', { display_name: 'x'.repeat(31), 'fields[0][value]': 'no label' }),
    await wrong('/auth/edit', { 'email[current_password]': 'wrong', 'user[email]': 'a@mail.test' }, '/auth/edit/email'),
    await wrong(
      '/auth/edit',
      { 'password[current_password]': current_password, 'user[password]': 'x' },
      '/auth/edit/password',
    ),
    await wrong('/settings/two_factor/app', { code: '000000', current_password }),
    await wrong('/settings/two_factor/passkeys/new', { name: 'key', answer: '{}', current_password }),
    await wrong('/settings/import', { type: 'following', file }),
    await wrong('/settings/import', { type: 'following', file: other }),
    await wrong('/settings/import', { type: 'following' }),
    await wrong('/settings/aliases', { acct: person.username }),
    await wrong('/settings/migration', { acct: person.username, current_password }),
    await wrong('/settings/delete', { username: 'other', current_password }),
  ]
}

/** The pages of an import before, during and after its run, an archive, an alias, two-factor authentication and a move. */
async function inUse(tab: Browser, person: Person, other: Person): Promise<Page[]> {
  const pages: Page[] = []
  const show = async (path: string): Promise<Page> => {
    const page = await tab.get(path)
    pages.push(page)
    return page
  }
  const file = new File([`${other.username}@${server.domain}\nno address\n`], 'list.csv', { type: 'text/csv' })
  for (const mode of ['overwrite', 'merge'])
    pages.push(
      await tab.submit(
        await tab.get('/settings/import'),
        { type: 'muting', mode, file },
        { action: '/settings/import' },
      ),
    )
  const { location } = pages.at(-1)!
  await server.database.raw(`update imports set state = 'running' where account_id = $1`, [person.id])
  await show(location)
  await server.database.raw(`update imports set state = 'unconfirmed' where account_id = $1`, [person.id])
  await tab.submit(await tab.get(location), {}, { action: `${location}/confirm` })
  await tab.submit(await tab.get('/settings/export'), {}, { action: '/settings/export/archives' })
  await show('/settings/export')
  await server.drain()
  await show(location)
  await show('/settings/import')
  await show('/settings/export')
  pages.push(
    await tab.submit(await tab.get('/settings/aliases'), { acct: other.username }, { action: '/settings/aliases' }),
  )
  const offer = await tab.get('/settings/two_factor/app')
  const key = (/code-display">([A-Z2-7 ]+)</.exec(offer.text)?.[1] ?? '').replaceAll(' ', '')
  const codes = await tab.submit(
    offer,
    { code: new TOTP({ secret: key }).generate(), current_password: person.password },
    { action: '/settings/two_factor/app' },
  )
  assert.match(codes.text, /class="codes"/)
  pages.push(codes)
  await show('/settings/two_factor')
  await server.database.raw(`update accounts set moved_to_id = $1 where id = $2`, [other.id, person.id])
  await show('/settings/migration')
  await server.database.raw(`update accounts set moved_to_id = null where id = $1`, [person.id])
  return pages
}

test('the settings have the language and the direction of the user', async () => {
  const tab = await signedIn(server, await server.person('other'))
  const english = await tab.get('/settings/export')
  assert.ok((await englishTextsIn('ar', english.text)).length > 5, 'the next test finds English texts')
  for (const language of LANGUAGES) {
    const { text } = await choose(tab, language)
    assert.match(text, new RegExp(`<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>`))
  }
})

// Arabic shares the fewest words with English. src/messages/messages.test.ts compares the catalogues of all languages.
test('every settings page is in the language of the user, in each of its states', async () => {
  const [person, other] = [await server.person('reader'), await server.person('another')]
  const tab = await signedIn(server, person)
  await choose(tab, 'ar')
  // Adds a second session, and a last use of the application.
  await browser(server).signIn(person.email, person.password)
  await person.get('/api/v1/accounts/verify_credentials')
  const pages: Page[] = []
  for (const path of SETTINGS_PATHS) pages.push(await tab.get(path))
  pages.push(...(await withNotices(tab)), ...(await withProblems(tab, person)), ...(await inUse(tab, person, other)))
  for (const page of pages) {
    assert.match(page.text, /<html lang="ar" dir="rtl">/, page.location)
    assert.deepEqual(await englishTextsIn('ar', page.text), [], page.location)
  }
})
