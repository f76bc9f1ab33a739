import type { Context } from '../../context.ts'
import { invalid, problemOf } from '../../lib/errors.ts'
import { message, type Message } from '../../messages/message.ts'
import { insertApp, OUT_OF_BAND, type App } from './apps.ts'
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
    ...(name === '' ? [problemOf('application_name', message('blank'))] : []),
    ...([...name].length > MAX_NAME ? [problemOf('application_name', message('too_long', { count: MAX_NAME }))] : []),
    ...redirectProblems(redirectUris),
    ...(scopes === null ? [problemOf('scopes', message('scopes_unknown'))] : []),
    ...(website !== null && (website.length > MAX_WEBSITE || !isWebAddress(website))
      ? [problemOf('application_website', message('url_invalid'))]
      : []),
  ]
  if (problems.length > 0 || scopes === null) throw invalid(problems)
  return insertApp(ctx, { name, website, redirectUris, scopes })
}

function redirectProblems(uris: readonly string[]): Message[] {
  if (uris.length === 0) return [problemOf('redirect_uri', message('blank'))]
  if (uris.length > MAX_URIS) return [problemOf('redirect_uri', message('too_many_entries', { count: MAX_URIS }))]
  const problems = new Map(uris.flatMap((uri) => redirectProblem(uri) ?? []).map((problem) => [problem.key, problem]))
  return [...problems.values()].map((problem) => problemOf('redirect_uri', problem))
}

function redirectProblem(uri: string): Message | null {
  if (uri === OUT_OF_BAND) return null
  if (uri.length > MAX_URI) return message('too_long', { count: MAX_URI })
  const url = URL.parse(uri)
  // An address with other characters is none until they are escaped, and no header can carry them.
  if (url === null || !/^[\x21-\x7e]+$/.test(uri)) return message('redirect_relative')
  if (FORBIDDEN.has(url.protocol)) return message('redirect_forbidden')
  if (uri.includes('#')) return message('redirect_fragment')
  return null
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}
