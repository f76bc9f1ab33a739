import { readFileSync } from 'node:fs'

/** The Mastodon release whose API this server offers. Clients read it from the beginning of `version`. */
export const MASTODON_VERSION = '4.6.6'
export const API_VERSION = 11

export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export const userAgent = (baseUrl: string): string => `Rookery/${VERSION} (+${baseUrl}/)`
