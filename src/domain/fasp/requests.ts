// Requests to auxiliary service providers. Both sides sign:
// https://github.com/mastodon/fediverse_auxiliary_service_provider_specifications/blob/main/general/v0.1/protocol_basics.md
import { textOf } from '../../ap/normalise.ts'
import { SignatureError, isSignedBy } from '../../ap/signatures/common.ts'
import { prepareResponseSignature, signMessage } from '../../ap/signatures/rfc9421.ts'
import type { Context } from '../../context.ts'
import { httpUrl } from '../../lib/http-url.ts'
import { parseForeignJson } from '../../lib/json.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'
import type { FetchResponse } from '../../net/gate.ts'
import { retryAfter } from '../../net/retry-after.ts'
import {
  isUsable,
  readProviderKey,
  recordProviderFailure,
  recordProviderSuccess,
  type OfferedCapability,
  type Provider,
  type ProviderInfo,
} from './providers.ts'

/** Between the clocks of this server and of a provider, in seconds. */
export const MAX_SKEW = 300

const MAX_ANSWER = 256 * 1024

type ProviderRequest = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object }

/**
 * The JSON of the response, or null when it has none. Follows no redirects. Throws FetchError when the provider cannot be
 * reached, refuses, or does not sign its response; NotFound when it was deleted meanwhile.
 */
export async function askProvider(ctx: Context, provider: Provider, request: ProviderRequest): Promise<unknown> {
  const { method, path, body } = request
  const key = await readProviderKey(ctx, provider.id)
  let response: FetchResponse | null = null
  try {
    response = await ctx.fetch.request(`${provider.base_url}${path}`, {
      method,
      // The digest is that of the bytes sent, so they must not be compressed.
      headers: { 'accept-encoding': 'identity', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'POST' ? { body: body ? JSON.stringify(body) : '' } : {}),
      accept: 'application/json',
      redirects: 0,
      maxBytes: MAX_ANSWER,
      service: true,
      sign: ({ url, body: sent }) => signMessage({ method, url, body: sent ?? '', ...key }),
    })
    const json = readAnswer(response, provider)
    await recordProviderSuccess(ctx, provider)
    return json
  } catch (error) {
    const isFailure = error instanceof FetchError && (isTemporary(error) || error.reason !== 'status')
    if (isFailure) await recordProviderFailure(ctx, provider.id, response ? retryAfter(response.headers) : 0)
    throw error
  }
}

function readAnswer({ status, headers, body }: FetchResponse, provider: Provider): unknown {
  const { host } = new URL(provider.base_url)
  if (status < 200 || status >= 300) throw new FetchError('status', `${host} returned status ${status}`, { status })
  try {
    const prepared = prepareResponseSignature({ status, headers, body }, { maxSkew: MAX_SKEW })
    if (!isSignedBy(prepared, provider.public_key)) throw new SignatureError('mismatch', 'The signature does not match')
  } catch (cause) {
    if (!(cause instanceof SignatureError)) throw cause
    throw new FetchError('signature', `${host} did not sign its response: ${cause.message}`, { cause })
  }
  if (body.length === 0) return null
  try {
    return parseForeignJson(body)
  } catch (cause) {
    throw new FetchError('content-type', `${host} returned invalid JSON`, { cause })
  }
}

const MAX_CAPABILITIES = 50
const MAX_POLICIES = 20
const MAX_TEXT = 320

/** What a provider says about itself. Throws as askProvider. */
export async function fetchProviderInfo(ctx: Context, provider: Provider): Promise<ProviderInfo> {
  const info = membersOf(await askProvider(ctx, provider, { method: 'GET', path: '/provider_info' }))
  const { capabilities, privacyPolicy, signInUrl, contactEmail, fediverseAccount } = info
  return {
    capabilities: capabilitiesIn(capabilities),
    privacy_policy: listOf(privacyPolicy, MAX_POLICIES).flatMap(({ url, language }) => {
      const address = addressOf(url)
      return address === null ? [] : [{ url: address, language: shortText(language) ?? '' }]
    }),
    sign_in_url: addressOf(signInUrl),
    contact_email: shortText(contactEmail),
    fediverse_account: shortText(fediverseAccount),
  }
}

function capabilitiesIn(given: unknown): OfferedCapability[] {
  const found = new Map<string, OfferedCapability>()
  for (const { id, version } of listOf(given, MAX_CAPABILITIES)) {
    if (typeof id !== 'string' || typeof version !== 'string') continue
    // They become parts of addresses.
    if (!/^[a-z0-9_]{1,64}$/.test(id) || !/^\d{1,4}(?:\.\d{1,4}){0,2}$/.test(version)) continue
    const known = found.get(id)
    if (!known || !isUsable(known)) found.set(id, { id, version })
  }
  return [...found.values()]
}

const membersOf = (json: unknown): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}

const listOf = (given: unknown, max: number): Record<string, unknown>[] =>
  Array.isArray(given) ? given.slice(0, max).map(membersOf) : []

const shortText = (given: unknown): string | null => textOf(given, MAX_TEXT)?.trim() || null

const addressOf = (given: unknown): string | null =>
  typeof given === 'string' && given.length <= 2000 ? (httpUrl(given)?.href ?? null) : null
