import type { Context } from '../../context.ts'
import { Invalid } from '../../lib/errors.ts'
import { createApp, OUT_OF_BAND, type App } from './apps.ts'
import { parseScopes } from './scopes.ts'

const MAX_NAME = 60
const MAX_URI = 2000
const MAX_WEBSITE = 2000
/** How many addresses one application may name. */
const MAX_URIS = 50
/** Schemes with which a redirect would run something in the browser. */
const FORBIDDEN = new Set(['data:', 'vbscript:', 'javascript:'])

export type AppRegistration = {
  name: string
  redirectUris: readonly string[]
  scopes: string | undefined
  website: string | null
}

/** Registers an application for whoever asks. Throws Invalid saying all that is wrong. */
export async function registerApp(
  ctx: Context,
  registration: AppRegistration,
): Promise<App & { client_secret: string }> {
  const name = registration.name.trim()
  const redirectUris = [...new Set(registration.redirectUris.flatMap((uris) => uris.split(/\s+/)).filter(Boolean))]
  const scopes = parseScopes(registration.scopes)
  const website = registration.website?.trim() || null
  const problems = [
    ...(name === '' ? ["Application name can't be blank"] : []),
    ...([...name].length > MAX_NAME ? [`Application name is too long (maximum is ${MAX_NAME} characters)`] : []),
    ...redirectProblems(redirectUris),
    ...(scopes === null ? ["Scopes doesn't match configured on the server."] : []),
    ...(website !== null && (website.length > MAX_WEBSITE || !isWebAddress(website))
      ? ['Application website is not a valid URL']
      : []),
  ]
  if (problems.length > 0 || scopes === null) throw new Invalid(`Validation failed: ${problems.join(', ')}`)
  return createApp(ctx, { name, website, redirectUris, scopes })
}

function redirectProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["Redirect URI can't be blank"]
  if (uris.length > MAX_URIS) return [`Redirect URI has too many entries (maximum is ${MAX_URIS})`]
  return [...new Set(uris.flatMap((uri) => redirectProblem(uri) ?? []))]
}

function redirectProblem(uri: string): string | null {
  if (uri === OUT_OF_BAND) return null
  if (uri.length > MAX_URI) return `Redirect URI is too long (maximum is ${MAX_URI} characters)`
  const url = URL.parse(uri)
  // An address with other characters is none until they are escaped, and no header can carry them.
  if (url === null || !/^[\x21-\x7e]+$/.test(uri)) return 'Redirect URI must be an absolute URI.'
  if (FORBIDDEN.has(url.protocol)) return 'Redirect URI is forbidden by the server.'
  if (uri.includes('#')) return 'Redirect URI cannot contain a fragment.'
  return null
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}
