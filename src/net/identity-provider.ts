import type * as openid from 'openid-client'
import type { ProviderSettings } from '../lib/identity-provider-settings.ts'
import { once } from '../lib/concurrency.ts'
import { FetchError } from './fetch-error.ts'
import type { FetchGate } from './gate.ts'

/** Milliseconds for which the provider's metadata and keys are cached. */
const METADATA_MS = 3_600_000
/** Seconds by which the clocks of the two servers may differ. */
const TOLERANCE_SECONDS = 60
const MAX_BYTES = 262_144
/** OpenID Connect Core 1.0, section 2. */
const SUBJECT = /^\P{Cc}{1,255}$/u

/** The values that bind a sign-in at the provider to one browser, so that it is answered there only, and once. */
export type IdentityChecks = { state: string; nonce: string; codeVerifier: string }

/**
 * Claims as the provider sent them, of a verified token and from its user information endpoint. `authenticatedAt`: when the user
 * last signed in there, not in the future; null if the provider does not say.
 */
export type IdentityClaims = { issuer: string; subject: string; authenticatedAt: Date | null } & Readonly<
  Record<string, unknown>
>

/**
 * `denied`: by the user or the provider. `unreachable`: it does not answer, or is out of order. `clock`: the clocks of the two
 * servers differ. `invalid`: the response does not pass the checks, or the configuration is wrong.
 */
export type IdentityProblem = 'denied' | 'unreachable' | 'clock' | 'invalid'

/** `code`: for logs; it never contains a secret. */
export class IdentityError extends Error {
  override name = 'IdentityError'
  readonly problem: IdentityProblem
  readonly code: string

  constructor(problem: IdentityProblem, code: string) {
    super(`the identity provider: ${problem} (${code})`)
    this.problem = problem
    this.code = code
  }
}

type Library = typeof openid

/** All methods throw IdentityError. */
export class IdentityProvider {
  readonly #settings: ProviderSettings
  readonly #redirectUri: string
  readonly #gate: FetchGate
  readonly #library = once((): Promise<Library> => import('openid-client'))
  #known: { configuration: Promise<openid.Configuration>; readAt: number } | null = null

  constructor(settings: ProviderSettings, redirectUri: string, gate: FetchGate) {
    this.#settings = settings
    this.#redirectUri = redirectUri
    this.#gate = gate
  }

  /** Where the browser signs in. `again`: also a browser that is signed in there. */
  async authorizationUrl(
    { state, nonce, codeVerifier }: IdentityChecks,
    { again }: { again: boolean },
  ): Promise<string> {
    const library = await this.#library()
    try {
      const url = library.buildAuthorizationUrl(await this.#configuration(library), {
        redirect_uri: this.#redirectUri,
        scope: this.#settings.scope,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login' } : {}),
      })
      return url.href
    } catch (error) {
      throw this.#failure(library, error)
    }
  }

  /** `query`: of the address to which the provider sent the browser back. */
  async identify(query: string, { state, nonce, codeVerifier }: IdentityChecks): Promise<IdentityClaims> {
    const library = await this.#library()
    try {
      const configuration = await this.#configuration(library)
      const tokens = await library.authorizationCodeGrant(configuration, new URL(`${this.#redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !SUBJECT.test(claims.sub)) throw new IdentityError('invalid', 'subject')
      const more: Partial<openid.UserInfoResponse> = configuration.serverMetadata().userinfo_endpoint
        ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      // The token may say that it verified one address, which proves nothing about another.
      const isOther = more.email !== undefined && more.email !== claims.email
      const first = isOther ? { ...claims, email_verified: undefined } : claims
      const authenticatedAt = pastTime(claims.auth_time)
      return { ...first, ...more, issuer: claims.iss, subject: claims.sub, authenticatedAt }
    } catch (error) {
      throw this.#failure(library, error)
    }
  }

  /** The cached metadata and keys of the provider may be outdated: the next sign-in requests them again. */
  #failure(library: Library, error: unknown): Error {
    const failure = identityError(library, error)
    if (!(failure instanceof IdentityError && failure.problem === 'denied')) this.#known = null
    return failure
  }

  #configuration(library: Library): Promise<openid.Configuration> {
    if (this.#known && Date.now() - this.#known.readAt < METADATA_MS) return this.#known.configuration
    const configuration = this.#discover(library)
    this.#known = { configuration, readAt: Date.now() }
    return configuration
  }

  async #discover(library: Library): Promise<openid.Configuration> {
    const { issuer, endpoints, clientId, clientSecret } = this.#settings
    // The gate decides where plain http is allowed: at private addresses that the administrator has listed.
    const options = { [library.customFetch]: this.#fetch, execute: [library.allowInsecureRequests] }
    const client = { [library.clockTolerance]: TOLERANCE_SECONDS }
    const server = endpoints
      ? metadataOf(issuer, endpoints)
      : (await library.discovery(new URL(issuer), clientId, client, library.None(), options)).serverMetadata()
    const methods = server.token_endpoint_auth_methods_supported
    const isBasic = !methods || methods.includes('client_secret_basic')
    const authentication = (isBasic ? library.ClientSecretBasic : library.ClientSecretPost)(clientSecret)
    const configuration = new library.Configuration(server, clientId, client, authentication)
    configuration[library.customFetch] = this.#fetch
    library.allowInsecureRequests(configuration)
    // Without it, the library trusts the connection, which need not be encrypted here.
    library.enableNonRepudiationChecks(configuration)
    return configuration
  }

  readonly #fetch: openid.CustomFetch = async (url, { method, headers, body, signal }) => {
    const {
      status,
      headers: received,
      body: bytes,
    } = await this.#gate.request(url, {
      method: method as 'GET' | 'POST',
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body === undefined || body === null ? {} : { body: String(body as URLSearchParams | string) }),
      ...(signal ? { signal } : {}),
      maxBytes: MAX_BYTES,
      redirects: 0,
      service: true,
    })
    const empty = bytes.length === 0
    return new Response(empty ? null : new Uint8Array(bytes), {
      status,
      headers: { 'content-type': received['content-type'] ?? '' },
    })
  }
}

const SIGNATURES = ['RS', 'PS', 'ES']
  .flatMap((kind) => [`${kind}256`, `${kind}384`, `${kind}512`])
  .concat('EdDSA', 'Ed25519')

const metadataOf = (issuer: string, endpoints: NonNullable<ProviderSettings['endpoints']>): openid.ServerMetadata => ({
  issuer,
  authorization_endpoint: endpoints.authorization,
  token_endpoint: endpoints.token,
  ...(endpoints.userInfo === null ? {} : { userinfo_endpoint: endpoints.userInfo }),
  jwks_uri: endpoints.keys,
  // The library would take RS256 only. Signatures are verified with published keys, so that none of these can be forged.
  id_token_signing_alg_values_supported: SIGNATURES,
})

/** `seconds`: since 1970. The clock of the provider may be fast. */
const pastTime = (seconds: unknown): Date | null =>
  typeof seconds === 'number' && seconds >= 0 ? new Date(Math.min(seconds * 1000, Date.now())) : null

/** Errors of the provider that pass. */
const PASSING = new Set(['temporarily_unavailable', 'server_error'])

function identityError(library: Library, error: unknown): Error {
  if (error instanceof IdentityError) return error
  if (error instanceof library.AuthorizationResponseError) {
    if (PASSING.has(error.error)) return new IdentityError('unreachable', error.error)
    return new IdentityError(error.error === 'access_denied' ? 'denied' : 'invalid', plain(error.error))
  }
  if (error instanceof library.ResponseBodyError) return new IdentityError(problemOf(error.status), plain(error.error))
  const causes = causesOf(error)
  const failure = causes.find((cause) => cause instanceof FetchError)
  if (failure) return new IdentityError('unreachable', failure.message)
  const response = causes.find((cause) => cause instanceof Response)
  if (response) return new IdentityError(problemOf(response.status), `status ${response.status}`)
  const { code } = error as { code?: unknown }
  // Web Crypto refuses a key.
  if (causes.some((cause) => cause instanceof DOMException)) return new IdentityError('invalid', 'keys')
  if (typeof code !== 'string') return error as Error
  // The innermost message names the claim. The library puts no values into messages, but the parser of JSON does.
  const reason = causes.findLast((cause): cause is Error => cause instanceof Error && !(cause instanceof SyntaxError))
  return new IdentityError(code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clock' : 'invalid', reason?.message ?? code)
}

const problemOf = (status: number): IdentityProblem => (status >= 500 || status === 429 ? 'unreachable' : 'invalid')

/** The provider, or who pretends to be it, has written the text. */
const plain = (text: string): string => text.replaceAll(/[^\w ]/g, '').slice(0, 64)

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let next = error; next && causes.length < 5; next = (next as { cause?: unknown }).cause) causes.push(next)
  return causes
}
