// Values of environment variables. Each function throws StartError that names the variable and says what it accepts.
import { isIP } from 'node:net'
import { StartError } from './errors.ts'
import { isServerHost } from './http-url.ts'
import { trimEnd } from './text/linear-time.ts'

/** Reads a variable; null when it is absent or empty. */
export type Variables = (name: string) => string | null

/** A whole number from `min` to `max`. */
export function number(
  text: Variables,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = text(name)
  if (value === null) return fallback
  const n = Number(value)
  if (!Number.isInteger(n) || n < min || n > max)
    throw new StartError(`${name}=${value} must be a whole number from ${min} to ${max}.`)
  return n
}

export function flag(text: Variables, name: string, fallback: boolean): boolean {
  const value = text(name)
  if (value === null) return fallback
  if (/^(true|1|on|yes)$/i.test(value)) return true
  if (/^(false|0|off|no)$/i.test(value)) return false
  throw new StartError(`${name}=${value} must be true or false.`)
}

export function oneOf(value: string, name: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new StartError(`${name}=${value} must be one of ${allowed.join(', ')}.`)
  return value
}

/** Reads variables that another one needs; `cause` is that one, with its value. */
export const neededWith =
  (text: Variables, cause: string) =>
  (name: string): string => {
    const value = text(name)
    if (value === null) throw new StartError(`${cause} needs ${name}.`)
    return value
  }

/** With a port, if it is not the usual one. */
export function domain(text: Variables, name: string): string | null {
  const value = text(name)
  return value === null ? null : domainIn(value, name)
}

/** Separated by commas or spaces. */
export const domains = (text: Variables, name: string): string[] =>
  (text(name) ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((value) => domainIn(value, name))

function domainIn(value: string, name: string): string {
  let url: URL
  try {
    url = new URL(`https://${value}`)
  } catch {
    throw new StartError(`${name}=${value} is not a domain. Give a bare name such as example.org or localhost:3000.`)
  }
  if (!isServerHost(url.host) || url.pathname !== '/' || url.username || url.search || url.hash || value.includes('/'))
    throw new StartError(
      `${name}=${value} is not a bare domain. Give a name such as example.org, without https:// and paths.`,
    )
  return url.host
}

/** An http or https address without a trailing slash. */
export function endpoint(value: string, name: string): string {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
    throw new StartError(`${name}=${value} is not an address such as https://example.org.`)
  return trimEnd(value, /\//)
}

export function optionalEndpoint(text: Variables, name: string): string | null {
  const value = text(name)
  return value === null ? null : endpoint(value, name)
}

/** IP addresses and ranges. */
export function addresses(text: Variables, name: string): string[] | null {
  const value = text(name)
  if (value === null) return null
  const list = value.split(/[\s,]+/).filter(Boolean)
  for (const entry of list) {
    const [address = '', bits = '0', ...rest] = entry.split('/')
    const family = isIP(address)
    const width = family === 4 ? 32 : 128
    if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > width || rest.length > 0)
      throw new StartError(`${name}: ${entry} is not an address or a range such as 10.0.0.0/8.`)
  }
  return list
}

/** IP addresses with optional ports. */
export function nameServers(text: Variables, name: string): string[] {
  const list = (text(name) ?? '').split(/[\s,]+/).filter(Boolean)
  for (const entry of list) {
    const [, host = '', port = '53'] = /^\[?(.+?)\]?(?:(?<=\]|\.\d{1,3}):(\d{1,5}))?$/.exec(entry) ?? []
    if (!isIP(host) || Number(port) > 65535)
      throw new StartError(`${name}: ${entry} is not an address such as 192.0.2.1, 127.0.0.1:5353 or [2001:db8::1]:53.`)
  }
  return list
}
