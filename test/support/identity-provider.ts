import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPair,
  generateKeyPairSync,
  randomUUID,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { readBody } from './request-body.ts'

type Claims = Record<string, unknown>

/** How the provider answers. Tests change it between requests. */
export type Behaviour = {
  /** Of the user who is signed in there. */
  claims: Claims
  /** Override claims of the token. */
  token: Claims
  /** Signs with a key that is not published. */
  forged: boolean
  /** Of signatures. `HS256` takes the client's secret as key, and `none` none. */
  algorithm: 'RS256' | 'ES256' | 'HS256' | 'none'
  /** Otherwise it refuses the client's secret. */
  knowsClient: boolean
  /** In place of a code. */
  error: string | null
  /** Of every response, while it is not 200. */
  status: number
  /** In place of the response at a path, as JSON. */
  bodies: Record<string, string>
}

/** An OpenID Connect provider on loopback, where one user is always signed in. */
export type TestProvider = {
  issuer: string
  env: NodeJS.ProcessEnv
  behaviour: Behaviour
  /** Codes, tokens and parameters that no log may contain. */
  secrets: string[]
  /** Follows the redirect to the provider, as a browser does. Returns the path to which it sends the browser back. */
  visit(url: string): Promise<string>
  /** Signs with another key from now on, and publishes it alone. */
  changeKey(): Promise<void>
  stop(): Promise<void>
}

const CLIENT = { id: 'rookery', secret: 'a secret: of the client' }
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type Grant = { claims: Claims; nonce: string; challenge: string; redirectUri: string; clientId: string }

export async function startIdentityProvider(claims: Claims): Promise<TestProvider> {
  let key = await newKey('one')
  const otherKey = await newKey('one')
  const curveKey = newCurveKey()
  const behaviour: Behaviour = {
    claims,
    token: {},
    forged: false,
    algorithm: 'RS256',
    knowsClient: true,
    error: null,
    status: 200,
    bodies: {},
  }
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Claims>()
  const secrets = [CLIENT.secret]
  let issuer = ''
  const idTokenOf = (grant: Grant): string => {
    const now = Math.floor(Date.now() / 1000)
    const { sub } = grant.claims
    const payload = {
      iss: issuer,
      aud: CLIENT.id,
      sub,
      nonce: grant.nonce,
      iat: now,
      exp: now + 300,
      ...behaviour.token,
    }
    const { algorithm, forged } = behaviour
    const pair = algorithm === 'ES256' ? curveKey : forged ? otherKey : key
    const text = `${encode({ alg: algorithm, kid: pair.jwk.kid, typ: 'JWT' })}.${encode(payload)}`
    if (algorithm === 'none') return `${text}.`
    if (algorithm === 'HS256') return `${text}.${createHmac('sha256', CLIENT.secret).update(text).digest('base64url')}`
    const signature = createSign('sha256').update(text).sign({ key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    secrets.push(query.get('state') ?? '', query.get('nonce') ?? '')
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('state', query.get('state') ?? '')
    if (behaviour.error !== null) back.searchParams.set('error', behaviour.error)
    else {
      const code = randomUUID()
      secrets.push(code)
      grants.set(code, {
        claims: { ...behaviour.claims },
        nonce: query.get('nonce') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
        clientId: query.get('client_id') ?? '',
      })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }
  const token = (request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void => {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const credentials = `${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`
    const isRight = request.headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`
    if (!isRight || !behaviour.knowsClient) return json(response, 401, { error: 'invalid_client' })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return json(response, 400, { error: 'invalid_grant' })
    const accessToken = randomUUID()
    tokens.set(accessToken, grant.claims)
    const idToken = idTokenOf(grant)
    secrets.push(accessToken, idToken, form.get('code_verifier') ?? '')
    json(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken })
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await readBody(request)) ?? ''
      const url = new URL(request.url ?? '/', issuer)
      if (behaviour.status !== 200) return json(response, behaviour.status, { error: 'server_error' })
      const instead = behaviour.bodies[url.pathname]
      if (instead !== undefined) return sendJson(response, 200, instead)
      if (url.pathname === '/.well-known/openid-configuration') return json(response, 200, metadata(issuer))
      if (url.pathname === '/keys') return json(response, 200, { keys: [key.jwk, curveKey.jwk] })
      if (url.pathname === '/authorize') return authorize(url.searchParams, response)
      if (url.pathname === '/token') return token(request, new URLSearchParams(String(body)), response)
      const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const known = url.pathname === '/userinfo' ? tokens.get(bearer) : undefined
      json(response, known ? 200 : 404, known ?? {})
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    env: {
      OIDC_ENABLED: 'true',
      OIDC_DISPLAY_NAME: 'Example ID',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    behaviour,
    secrets,
    async visit(url) {
      const { headers } = await fetch(url, { redirect: 'manual' })
      const back = new URL(headers.get('location') ?? '')
      return back.pathname + back.search
    },
    async changeKey() {
      key = await newKey('two')
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** In the format of which tests have a stock: to generate one takes long. */
const RSA = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const

async function newKey(kid: string) {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', RSA)
  const jwk = createPublicKey(publicKey).export({ format: 'jwk' })
  return { privateKey: createPrivateKey(privateKey), jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } }
}

function newCurveKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'curve', alg: 'ES256', use: 'sig' } }
}

const metadata = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

const json = (response: ServerResponse, status: number, body: object): void =>
  sendJson(response, status, JSON.stringify(body))

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
