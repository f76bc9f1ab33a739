// The configuration by environment variables: what it refuses, and a mail server with a password.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { after, test, type TestContext } from 'node:test'
import { browser } from '../support/forms.ts'
import { openBackend, readConfig } from '../support/internals.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const received: string[] = []
const mailServer = createServer((socket) => {
  let [inData, rest] = [false, '']
  socket.write('220 mail.test ESMTP\r\n')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      received.push(line)
      if (inData && line !== '.') continue
      inData = line === 'DATA'
      const greeting = line.startsWith('EHLO') ? '250-mail.test\r\n250 AUTH PLAIN' : '250 fine'
      socket.write(`${inData ? '354 go on' : line.startsWith('AUTH') ? '235 welcome' : greeting}\r\n`)
    }
  })
})
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
after(() => mailServer.close())

const { server, ada, peer } = await stage({
  accounts: ['ada'],
  peers: ['peer'],
  env: {
    SMTP_SERVER: '127.0.0.1',
    SMTP_PORT: String((mailServer.address() as AddressInfo).port),
    SMTP_LOGIN: 'rookery',
    SMTP_PASSWORD: 'swordfish',
    SMTP_FROM_ADDRESS: 'The Nest <nest@mail.test>',
    ALTERNATE_DOMAINS: 'nest.test, perch.test',
  },
  fresh: true,
})

test('mails go to the mail server, with the name and password of the configuration', async () => {
  const tab = browser(server)
  const sent = await tab.submit(await tab.get('/auth/password/new'), { 'user[email]': ada.email })
  assert.doesNotMatch(sent.text, /<code>mail<\/code>/, 'no hint at mails in files')
  // It is queued after the response, to hide who has an account.
  await eventually(() => received.includes('.'))
  const login = Buffer.from('\0rookery\0swordfish').toString('base64')
  for (const line of [
    `AUTH PLAIN ${login}`,
    'MAIL FROM:<nest@mail.test>',
    `RCPT TO:<${ada.email}>`,
    'From: The Nest <nest@mail.test>',
  ])
    assert.ok(
      received.some((each) => each.startsWith(line)),
      `${line} in ${received.join('\n')}`,
    )
})

test('addresses and handles of alternate domains are those of local accounts', async () => {
  for (const resource of ['acct:ada@perch.test', 'https://nest.test/@ada'])
    assert.equal(
      (await server.send('GET', `/.well-known/webfinger?resource=${resource}`)).json.subject,
      `acct:ada@${server.domain}`,
    )
  assert.equal((await server.send('GET', '/.well-known/webfinger?resource=acct:ada@other.test')).status, 404)
  for (const query of ['@ada@Perch.test', 'https://nest.test/users/ada'])
    assert.deepEqual(
      (await ada.get(`/api/v2/search?q=${encodeURIComponent(query)}&resolve=true`)).accounts.map(({ id }: any) => id),
      [ada.id],
    )
  const { mentions } = await ada.post('/api/v1/statuses', { status: 'Hello @ada@nest.test' })
  assert.deepEqual(
    mentions.map(({ acct }: any) => acct),
    ['ada'],
  )
  const eve = await peer.actor('eve')
  const like = { id: `${eve.uri}#likes/1`, type: 'Like', actor: eve.uri, object: 'https://nest.test/users/ada' }
  assert.equal(await peer.send(server, eve, like, { host: 'nest.test' }), 202)
  assert.equal(await peer.send(server, eve, like, { host: 'other.test' }), 401)
})

/** The warnings of a start on the database of the server, with their fields. */
async function warningsOf(t: TestContext, env: NodeJS.ProcessEnv): Promise<Record<string, unknown>[]> {
  const { databaseUrl, dataDir, secretKeyBase } = server.ctx.config
  const shared = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, SECRET_KEY_BASE: secretKeyBase ?? '' }
  let written = ''
  const write = t.mock.method(fs, 'writeSync', (_fd: number, text: string) => Buffer.byteLength((written += text)))
  const { close } = await openBackend(readConfig({ ...shared, LOG_LEVEL: 'warn', ...env }), 'server')
  await close()
  write.mock.restore()
  return written
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('the start warns of indexes in the order of another system', async (t) => {
  const { rows } = await server.database.raw(
    `update pg_database set datcollversion = '0' where datname = current_database() returning datcollversion as former`,
  )
  const [warning] = await warningsOf(t, { LOCAL_DOMAIN: server.domain })
  await server.database.raw(
    `update pg_database set datcollversion = pg_database_collation_actual_version(oid) where datname = current_database()`,
  )
  assert.deepEqual([warning?.msg, warning?.former], ['database.collation-changed', rows[0].former])
  assert.match(String(warning?.advice), /maintenance reindex/)
})

test('the start warns of fewer database connections than its processes open', async (t) => {
  const { rows } = await server.database.raw(`select current_setting('max_connections')::int as most`)
  const { most } = rows[0]
  const env = { LOCAL_DOMAIN: server.domain, DB_POOL: String(most - 8) }
  const [warning, ...others] = await warningsOf(t, env)
  assert.deepEqual([warning?.msg, warning?.needed, others], ['database.few-connections', most + 1, []])
  assert.ok(Number(warning?.granted) <= most)
})

test('the start warns of a former domain that other servers know, unless it is an alternate one', async (t) => {
  const warnings = async (env: NodeJS.ProcessEnv): Promise<unknown[]> =>
    (await warningsOf(t, env)).map(({ msg, former }) => [msg, former])
  const { rows: peers } = await server.database.raw('delete from peers returning *')
  assert.deepEqual(await warnings({ LOCAL_DOMAIN: 'trial.test' }), [], 'no other server knows this one')
  assert.deepEqual(await warnings({ LOCAL_DOMAIN: 'old.test', WEB_DOMAIN: 'web.old.test' }), [])
  await server.database.raw(`insert into peers (domain) select unnest($1::text[])`, [peers.map(({ domain }) => domain)])
  const expected = [['domain.changed', ['old.test', 'web.old.test']]]
  for (let start = 1; start <= 2; start++) assert.deepEqual(await warnings({ LOCAL_DOMAIN: 'new.test' }), expected)
  const meant = { LOCAL_DOMAIN: 'old.test', WEB_DOMAIN: 'web.new.test' }
  assert.deepEqual(await warnings(meant), [['domain.changed', ['web.old.test']]])
  assert.deepEqual(await warnings({ ...meant, ALTERNATE_DOMAINS: 'web.old.test' }), [])
  assert.deepEqual(await warnings({ LOCAL_DOMAIN: 'old.test', ALTERNATE_DOMAINS: 'web.old.test' }), [
    ['domain.changed', ['web.new.test']],
  ])
})

test('without a sender, mails come from the domain, and port 465 means TLS', () => {
  const { smtp } = readConfig({ SMTP_SERVER: 'mail.test', SMTP_PORT: '465', LOCAL_DOMAIN: 'nest.test:8080' })
  assert.deepEqual(smtp, {
    host: 'mail.test',
    port: 465,
    user: null,
    password: null,
    from: 'notifications@nest.test',
    tls: true,
    verify: true,
  })
  const { smtp: other } = readConfig({ SMTP_SERVER: 'mail.test', SMTP_OPENSSL_VERIFY_MODE: 'none' })
  assert.deepEqual([other?.port, other?.tls, other?.verify], [587, false, false])
})

test('the default domain leaves out the port of HTTP, as browsers do', () => {
  assert.equal(readConfig({ PORT: '80' }).baseUrl, 'http://localhost')
  assert.equal(readConfig({ PORT: '81' }).localDomain, 'localhost:81')
})

test('a value that cannot be used is refused, and the variable named', () => {
  for (const [name, value] of [
    ['LOCAL_DOMAIN', 'https://nest.test'],
    ['LOCAL_DOMAIN', 'nest.test/path'],
    ['LOCAL_DOMAIN', 'user@nest.test'],
    ['LOCAL_DOMAIN', 'a b'],
    ['LOCAL_DOMAIN', 'nest..test'],
    ['WEB_DOMAIN', 'nest.test.'],
    ['ALTERNATE_DOMAINS', 'nest.test,https://perch.test'],
    ['SMTP_PORT', '70000'],
    ['SMTP_FROM_ADDRESS', 'The Nest'],
    ['SMTP_FROM_ADDRESS', 'The Nest <nest>'],
    ['SMTP_OPENSSL_VERIFY_MODE', 'no'],
    ['SOURCE_BASE_URL', 'source.test'],
    ['RATE_LIMITS', 'perhaps'],
    ['TRUSTED_PROXY_IP', '10.0.0.0/'],
    ['TRUSTED_PROXY_IP', '10.0.0.0/33'],
    ['TRUSTED_PROXY_IP', 'proxy.test'],
    ['ALLOWED_PRIVATE_ADDRESSES', '127.0.0.0/8/8'],
    ['ALLOWED_PRIVATE_ADDRESSES', '::1/129'],
    ['DNS_SERVERS', 'dns.test'],
    ['DNS_SERVERS', '192.0.2.1:99999'],
    ['STREAMING_API_BASE_URL', 'https://streaming.test'],
    ['DATABASE_URL', 'mysql://localhost/rookery'],
    ['S3_BUCKET', 'a bucket'],
    ['S3_REGION', 'a region'],
    ['PROCESS_ROLES', 'web,cook'],
    ['PROCESS_ROLES', ','],
  ] as const)
    assert.throws(
      () =>
        readConfig({
          SMTP_SERVER: 'mail.test',
          S3_ENABLED: String(name.startsWith('S3_')),
          S3_BUCKET: 'nest',
          AWS_ACCESS_KEY_ID: 'a',
          AWS_SECRET_ACCESS_KEY: 'b',
          [name]: value,
        }),
      (error: Error) => error.name === 'StartError' && error.message.includes(name),
      `${name}=${value}`,
    )
})

test('single sign-on needs its variables, and the redirect address of this server', () => {
  const env = {
    LOCAL_DOMAIN: 'nest.test',
    OIDC_ENABLED: 'true',
    OIDC_ISSUER: 'https://id.test/realm/',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
  }
  const uri = 'https://nest.test/auth/auth/openid_connect/callback'
  const { oidc } = readConfig({ ...env, OIDC_REDIRECT_URI: uri, OIDC_SCOPE: 'openid,email' })
  assert.equal(oidc?.issuer, 'https://id.test/realm/', 'the slash is a part of the name')
  assert.equal(oidc?.displayName, 'id.test')
  assert.equal(oidc?.scope, 'openid email')
  const endpoints = {
    OIDC_DISCOVERY: 'false',
    OIDC_AUTH_ENDPOINT: 'https://id.test/auth',
    OIDC_TOKEN_ENDPOINT: 'https://id.test/token',
    OIDC_JWKS_URI: 'https://id.test/keys',
  }
  assert.deepEqual(readConfig({ ...env, ...endpoints }).oidc?.endpoints, {
    authorization: 'https://id.test/auth',
    token: 'https://id.test/token',
    userInfo: null,
    keys: 'https://id.test/keys',
  })
  for (const [name, value] of [
    ['OIDC_ISSUER', ''],
    ['OIDC_ISSUER', 'id.test'],
    ['OIDC_CLIENT_ID', ''],
    ['OIDC_CLIENT_SECRET', ''],
    ['OIDC_REDIRECT_URI', 'https://other.test/auth/auth/openid_connect/callback'],
    ['OIDC_JWKS_URI', ''],
    ['OMNIAUTH_ONLY', 'true'],
  ] as const)
    assert.throws(
      () =>
        readConfig({
          ...env,
          ...endpoints,
          ...(name === 'OMNIAUTH_ONLY' ? { OIDC_ENABLED: 'false' } : {}),
          [name]: value,
        }),
      (error: Error) => error.name === 'StartError' && error.message.includes(name),
      `${name}=${value}`,
    )
})

test('auxiliary services are off unless the variable names them, and need public posts', () => {
  const read = (features: string, more: NodeJS.ProcessEnv = {}) =>
    readConfig({ EXPERIMENTAL_FEATURES: features, ...more }).fasp
  assert.deepEqual(
    ['', 'collections', 'collections,fasp', 'faspx'].map((each) => read(each)),
    [false, false, true, false],
  )
  assert.throws(() => read('fasp', { LIMITED_FEDERATION_MODE: 'true' }), /EXPERIMENTAL_FEATURES=fasp/)
})
