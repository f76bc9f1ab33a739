import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

test('errors are in the language of `lang`, of the user, or of Accept-Language, in this order', async () => {
  const errorOf = async (path: string, options: Parameters<typeof server.send>[2] = {}): Promise<string[]> => {
    const { json, headers } = await server.send('GET', path, options)
    return [json.error, headers.get('content-language') ?? '']
  }
  const path = '/api/v1/statuses/1'
  const french = { headers: { 'accept-language': 'nl, fr-CA;q=0.8, de;q=0.5' } }
  assert.deepEqual(await errorOf(path), ['Record not found', 'en'])
  assert.deepEqual(await errorOf(path, french), ['Enregistrement introuvable', 'fr'])
  assert.deepEqual(await errorOf(path, { headers: { 'accept-language': 'fr;q=0, *' } }), ['Record not found', 'en'])
  const { headers } = await server.send('GET', path, french)
  assert.match(headers.get('vary') ?? '', /Accept-Language/)
  const german = await server.person('greta', { locale: 'de' })
  assert.deepEqual(await errorOf(path, { ...french, token: german.token }), ['Eintrag nicht gefunden', 'de'])
  assert.deepEqual(await errorOf(`${path}?lang=es-MX`, { ...french, token: german.token }), [
    'Registro no encontrado',
    'es',
  ])
  assert.deepEqual(await errorOf(`${path}?lang=xx`, { token: german.token }), ['Eintrag nicht gefunden', 'de'])
  // Clients match on the text of what a login lacks.
  const newcomer = await server.person('newcomer', { confirmed: false, locale: 'de' })
  const [lacking] = await errorOf('/api/v1/accounts/verify_credentials', { ...french, token: newcomer.token })
  assert.equal(lacking, 'Your login is missing a confirmed e-mail address')
  const nonsense = ['', ',,;q=,', 'x'.repeat(5000), 'de;q=x', '../../de', 'constructor']
  for (const header of nonsense)
    assert.deepEqual(await errorOf(path, { headers: { 'accept-language': header } }), ['Record not found', 'en'])
  const bodied = await server.send('POST', '/api/v1/statuses', { json: { lang: 'ja' } })
  assert.equal(bodied.json.error, 'アクセストークンが無効です')
  assert.match(bodied.headers.get('www-authenticate') ?? '', /error_description="The access token is invalid"$/)
})

test('validation errors are translated, in `details` too', async () => {
  const say = (lang: string, json: object) => ada.send('POST', `/api/v1/statuses?lang=${lang}`, { json })
  assert.equal((await say('en', {})).json.error, "Validation failed: Text can't be blank")
  assert.equal((await say('ja', {})).json.error, '入力内容を確認してください：本文を入力してください')
  const form = { username: 'a b', email: '', password: 'short', agreement: true, locale: 'en' }
  const token = await server.token({ userId: null, scopes: ['write'] })
  const register = (lang: string) => server.send('POST', '/api/v1/accounts', { token, json: { ...form, lang } })
  const english = await register('en')
  assert.match(
    english.json.error,
    /^Validation failed: Username must contain only letters, numbers and underscores, E-mail/,
  )
  const german = await register('de')
  assert.match(german.json.error, /^Überprüfung fehlgeschlagen: Profilname darf nur Buchstaben/)
  assert.equal(german.json.details.password[0].description, 'ist zu kurz (mindestens 8 Zeichen)')
  assert.equal(german.json.details.password[0].error, english.json.details.password[0].error)
  const many = { status: 'x', media_ids: ['1', '2', '3', '4', '5'] }
  assert.equal((await say('fr', many)).json.error, 'Impossible de joindre plus de 4 fichiers')
  const collection = await ada.send('POST', '/api/v1/collections?lang=de', { json: { name: '' } })
  assert.equal(collection.json.error.error, 'Überprüfung fehlgeschlagen: Name darf nicht leer sein')
  assert.equal(collection.json.error.details.name[0].description, 'darf nicht leer sein')
})

test('OAuth errors have untranslated codes and translated descriptions', async () => {
  const headers = { 'accept-language': 'es' }
  const refused = await server.send('POST', '/oauth/token', { json: { grant_type: 'client_credentials' }, headers })
  assert.equal(refused.json.error, 'invalid_client')
  assert.match(refused.json.error_description, /^La autenticación del cliente falló/)
  assert.match(refused.headers.get('www-authenticate') ?? '', /error_description="Client authentication failed/)
  const missing = await server.send('POST', '/oauth/token', { json: {}, headers })
  assert.equal(missing.json.error_description, 'Falta un parámetro obligatorio: grant_type.')
})
