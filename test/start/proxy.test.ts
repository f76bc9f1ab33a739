// Two servers behind TLS proxies, one of them with a web domain that differs from the domain of its handles.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeAuthority } from '../support/certificates.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/server-pool.ts'
import { eventually } from '../support/server.ts'
import { listen } from '../streaming/listen.ts'
import { members, type Member } from './members.ts'
import { house, type House } from './server-process.ts'
import { askFrom, type Answer, type Asking } from './proxied-request.ts'
import type { Run } from './run-program.ts'
import { CLIENT, startProxy, type Proxy } from './tls-proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-proxy-'))
const authority = makeAuthority('Test authority')
const untrusted = makeAuthority('Untrusted authority')
const [socialPort, otherPort] = [await freePort(), await freePort()]
const proxy = await startProxy({
  'social.test': { certificate: authority.issue(['social.test']), port: socialPort },
  'other.test': { certificate: authority.issue(['other.test']), wellKnownAt: 'web.other.test' },
  'web.other.test': { certificate: authority.issue(['web.other.test']), port: otherPort },
  'dubious.test': { certificate: untrusted.issue(['dubious.test']), port: otherPort },
})
const skip =
  proxy === null &&
  'port 443 of loopback may not be used here: run the tests as root, or allow it (net.ipv4.ip_unprivileged_port_start)'
const { address, seen } = proxy ?? ({ address: '', seen: [] } as Pick<Proxy, 'address' | 'seen'>)

type Place = { house: House; server: Run; origin: string; drop(): Promise<void> }
let social: Place
let other: Place
let ada: Member
let bea: Member

/** Starts a server with public domain names that trusts only the proxy. */
async function place(port: number, env: Record<string, string>): Promise<Place> {
  const database = await createTestDatabase()
  const here = await house({
    PORT: String(port),
    DATABASE_URL: database.url,
    TRUSTED_PROXY_IP: address,
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'fake-name-lookup.ts')}`,
    TEST_NAMES_AT: address,
    RATE_LIMITS: 'on',
    ...env,
  })
  const server = await here.start()
  return { house: here, server, origin: `https://${env.WEB_DOMAIN ?? env.LOCAL_DOMAIN}`, drop: database.drop }
}

async function member({ house: { open } }: Place, name: string): Promise<Member> {
  const backend = await open()
  const [made] = await members(backend, [name])
  await backend.close()
  return made as Member
}

before(async () => {
  if (skip) return
  writeFileSync(join(folder, 'authority.pem'), authority.cert)
  ;[social, other] = await Promise.all([
    place(socialPort, { LOCAL_DOMAIN: 'social.test' }),
    place(otherPort, { LOCAL_DOMAIN: 'other.test', WEB_DOMAIN: 'web.other.test' }),
  ])
  ;[ada, bea] = await Promise.all([member(social, 'ada'), member(other, 'bea')])
})
after(async () => {
  for (const one of [social, other].filter(Boolean)) {
    one.server.kill('SIGTERM')
    await one.server.ended
    await one.drop()
    one.house.remove()
  }
  proxy?.close()
  rmSync(folder, { recursive: true, force: true })
})

const connection = {
  ca: authority.cert,
  lookup: ((_host, options, callback) =>
    options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)) as LookupFunction,
}
const ask = (method: string, url: string, asking: Omit<Asking, 'connection'> = {}): Promise<Answer> =>
  askFrom(method, url, { ...asking, connection })

const of = (where: Place, who: Member) => {
  const call = async (method: string, path: string, json?: unknown): Promise<any> => {
    const answer = await ask(method, where.origin + path, { token: who.token, ...(json === undefined ? {} : { json }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, json: unknown = {}) => call('POST', path, json),
  }
}

const meet = async (where: Place, who: Member, handle: string): Promise<any> =>
  (await of(where, who).get(`/api/v2/search?q=${encodeURIComponent(handle)}&resolve=true&type=accounts`)).accounts[0]

/** Waits for a post with this text in the home timeline. */
const arrived = (where: Place, who: Member, text: string): Promise<any> =>
  eventually(async () =>
    (await of(where, who).get('/api/v1/timelines/home')).find((status: { content: string }) =>
      status.content.includes(text),
    ),
  )

test(
  'handles resolve to actors on the web domain, and accounts of both servers can follow each other',
  { skip },
  async () => {
    const found = await meet(social, ada, '@bea@other.test')
    assert.deepEqual([found.acct, found.url], ['bea@other.test', 'https://web.other.test/@bea'])
    assert.ok(
      seen.some((line) => line.startsWith('GET https://other.test/.well-known/webfinger?')),
      'WebFinger was not requested from the domain of the handle',
    )
    const back = await meet(other, bea, 'ada@social.test')
    assert.deepEqual([back.acct, back.url], ['ada@social.test', 'https://social.test/@ada'])
    await of(social, ada).post(`/api/v1/accounts/${found.id}/follow`)
    await of(other, bea).post(`/api/v1/accounts/${back.id}/follow`)
    const isMutual = async (where: Place, who: Member, id: string): Promise<boolean> => {
      const [relation] = await of(where, who).get(`/api/v1/accounts/relationships?id[]=${id}`)
      return relation.following && relation.followed_by
    }
    await eventually(() => isMutual(social, ada, found.id))
    await eventually(() => isMutual(other, bea, back.id))
    // The URL and the handle on the web domain resolve to the same account.
    assert.equal((await meet(social, ada, 'https://web.other.test/@bea')).id, found.id)
    assert.equal((await meet(social, ada, '@bea@web.other.test')).id, found.id)
  },
)

test('posts and replies reach the other server, with addresses on the web domains', { skip }, async () => {
  const post = await of(social, ada).post('/api/v1/statuses', { status: 'A public post for @bea@other.test' })
  assert.match(post.uri, /^https:\/\/social\.test\/users\/ada\/statuses\/\d+$/)
  const copy = await arrived(other, bea, 'A public post')
  assert.deepEqual([copy.uri, copy.account.acct, copy.mentions[0]?.acct], [post.uri, 'ada@social.test', 'bea'])
  const answer = await of(other, bea).post('/api/v1/statuses', {
    status: '@ada@social.test an answer',
    in_reply_to_id: copy.id,
  })
  assert.match(answer.uri, /^https:\/\/web\.other\.test\/users\/bea\/statuses\/\d+$/)
  await eventually(async () => (await of(social, ada).get(`/api/v1/statuses/${post.id}`)).replies_count === 1)
})

test('no request is sent to a server with a certificate of an unknown authority', { skip }, async () => {
  assert.equal(await meet(social, ada, '@bea@dubious.test'), undefined)
  assert.deepEqual(
    seen.filter((line) => line.includes('//dubious')),
    [],
  )
})

test('WebFinger, host-meta and NodeInfo name the right domains', { skip }, async () => {
  const moved = await ask('GET', 'https://other.test/.well-known/webfinger?resource=acct:bea@other.test')
  const { json } = await ask('GET', String(moved.headers.location))
  assert.equal(json.subject, 'acct:bea@other.test')
  assert.equal(json.links.find(({ rel }: { rel: string }) => rel === 'self').href, 'https://web.other.test/users/bea')
  assert.equal(
    (await ask('GET', 'https://web.other.test/.well-known/webfinger?resource=acct:bea@web.other.test')).json.subject,
    'acct:bea@other.test',
  )
  assert.match(
    (await ask('GET', 'https://web.other.test/.well-known/host-meta')).text,
    /https:\/\/web\.other\.test\/\.well-known\/webfinger/,
  )
  const { links } = (await ask('GET', 'https://web.other.test/.well-known/nodeinfo')).json
  assert.ok(links.every(({ href }: { href: string }) => href.startsWith('https://web.other.test/nodeinfo/')))
  const instance = (await ask('GET', 'https://web.other.test/api/v2/instance')).json
  assert.deepEqual([instance.domain, instance.configuration.urls.streaming], ['other.test', 'wss://web.other.test'])
})

test('pages, API responses and errors send strict-transport-security', { skip }, async () => {
  for (const path of ['/', '/auth/sign_in', '/api/v2/instance', '/api/v1/timelines/home', '/nothing/here']) {
    const { headers } = await ask('GET', `https://social.test${path}`)
    assert.equal(headers['strict-transport-security'], 'max-age=63072000', path)
  }
})

test('pagination links point to the public address', { skip }, async () => {
  for (const status of ['One', 'Two', 'Three']) await of(social, ada).post('/api/v1/statuses', { status })
  const first = await ask('GET', `https://social.test/api/v1/accounts/${ada.id}/statuses?limit=2`, { token: ada.token })
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
  assert.match(next, /^https:\/\/social\.test\/api\/v1\/accounts\/\d+\/statuses\?/)
  const second = await ask('GET', next, { token: ada.token })
  assert.match(second.json[0].content, /One/)
})

test('streaming works over a secure WebSocket', { skip }, async () => {
  const client = await listen({ url: 'https://social.test' }, { protocols: [ada.token], streams: ['user'], connection })
  const post = await of(social, ada).post('/api/v1/statuses', { status: 'Live' })
  const { id, url } = await client.event('update', 'user')
  assert.equal(id, post.id)
  assert.match(url, /^https:\/\/social\.test\/@ada\/\d+$/)
  client.end()
})

test(
  'signing in sets cookies for this host and https only, and redirects to the application with a code',
  { skip },
  async () => {
    const app = (
      await ask('POST', 'https://social.test/api/v1/apps', {
        json: { client_name: 'Reader', redirect_uris: 'https://app.test/back', scopes: 'read' },
      })
    ).json
    const query = new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: 'https://app.test/back',
      response_type: 'code',
      scope: 'read',
      state: 'here',
    })
    const cookies = new Map<string, string>()
    const browse = async (method: string, path: string, form?: Record<string, string>): Promise<Answer> => {
      const answer = await ask(method, new URL(path, 'https://social.test').href, {
        ...(form ? { form } : {}),
        headers: {
          accept: 'text/html',
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          ...(form ? { origin: 'https://social.test' } : {}),
        },
      })
      for (const line of answer.headers['set-cookie'] ?? []) {
        assert.match(line, /^__Host-[^=]+=/)
        const attributes = line.split('; ').slice(1)
        for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure'])
          assert(attributes.includes(attribute), line)
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
      return answer
    }
    /** The hidden fields of the form with this button. */
    const hidden = ({ text }: Answer, button: string): Record<string, string> => {
      const end = text.indexOf(`${button}</button>`)
      const form = text.slice(text.lastIndexOf('<form', end), end)
      return Object.fromEntries(
        [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          value.replaceAll('&amp;', '&'),
        ]),
      )
    }
    const sent = await browse('GET', `/oauth/authorize?${query.toString()}`)
    assert.equal(sent.status, 302)
    const signIn = await browse('GET', String(sent.headers.location))
    const signedIn = await browse('POST', '/auth/sign_in', {
      ...hidden(signIn, 'Sign in'),
      'user[email]': 'ada@localhost',
      'user[password]': 'correct horse battery',
    })
    assert.ok([302, 303].includes(signedIn.status), signedIn.text)
    const consent = await browse('GET', String(signedIn.headers.location))
    assert.equal(consent.status, 200)
    const agreed = await browse('POST', '/oauth/authorize', hidden(consent, 'Authorise'))
    const back = new URL(String(agreed.headers.location))
    assert.deepEqual([back.origin + back.pathname, back.searchParams.get('state')], ['https://app.test/back', 'here'])
    assert.ok(back.searchParams.get('code'))
  },
)

test(
  'rate limits use the client address that the proxy forwards, and ignore forwarded addresses of clients',
  { skip },
  async () => {
    const left = (answer: { headers: Record<string, unknown> }): number =>
      Number(answer.headers['x-ratelimit-remaining'])
    const through = async (client: string, headers: Record<string, string> = {}): Promise<number> =>
      left(await ask('GET', 'https://social.test/api/v1/custom_emojis', { headers: { [CLIENT]: client, ...headers } }))
    const first = await through('203.0.113.11')
    assert.equal(await through('203.0.113.11'), first - 1)
    assert.equal(await through('203.0.113.12'), first)
    // An address that the client claims does not count.
    assert.equal(await through('203.0.113.11', { 'x-forwarded-for': '203.0.113.13' }), first - 2)
    // Nor does one in a request that bypasses the proxy.
    const past = await social.house.call('GET', '/api/v1/custom_emojis', null, undefined, {
      'x-forwarded-for': '203.0.113.14',
    })
    assert.equal(past.status, 200)
    assert.equal(await through('203.0.113.14'), first)
  },
)
