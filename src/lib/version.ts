import { readFileSync } from 'node:fs'

/** The Mastodon release whose API is offered; clients read it from the front of `version`. */
export const MASTODON_VERSION = '4.6.6'
/** The level of that API: 11 is what 4.6.1 and later report. */
export const API_VERSION = 11

/** The version of this software, from package.json. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** What other servers see in their logs. */
export const userAgent = (baseUrl: string): string => `Rookery/${VERSION} (+${baseUrl}/)`
