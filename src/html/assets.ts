import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { extname } from 'node:path'

/** `immutable`: its path changes with its content, so it may be cached for ever. */
export type Asset = { body: Buffer; type: string; etag: string; immutable: boolean }

const folder = new URL('assets/', import.meta.url)

const images = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]))

// In the order in which later rules override earlier ones; sent as one file.
const styles = [
  'tokens',
  'base',
  'frame',
  'cards',
  'forms',
  'people',
  'statuses',
  'special',
  'settings',
  'admin',
  'registration',
  'reports',
  'docs',
  'conditions',
]
const rules = styles.map((name) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), 'utf8')).join('\n')
const stylesheet = Buffer.from(`${rules}\n${onlyLight(rules)}`)

export const stylesheetPath = `/assets/style.${hash(stylesheet)}.css`

const passkeyScript = readFileSync(new URL('scripts/passkeys.js', import.meta.url))

export const passkeyScriptPath = `/assets/passkeys.${hash(passkeyScript)}.js`

const captchaScript = readFileSync(new URL('scripts/captcha.js', import.meta.url))

export const captchaScriptPath = `/assets/captcha.${hash(captchaScript)}.js`

/** By path: `/assets/avatar.png`, `/assets/style.<hash>.css`, …, `/favicon.ico` and `/embed.js`. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  [stylesheetPath, asset(stylesheet, 'text/css; charset=utf-8', { immutable: true })],
  [passkeyScriptPath, asset(passkeyScript, 'text/javascript; charset=utf-8', { immutable: true })],
  [captchaScriptPath, asset(captchaScript, 'text/javascript; charset=utf-8', { immutable: true })],
  ...[...images].map(([name, body]): [string, Asset] => [`/assets/${name}`, asset(body, typeOf(name))]),
  // Browsers request it by themselves, and accept a PNG under this name.
  ['/favicon.ico', asset(images.get('icon.png') ?? Buffer.alloc(0), 'image/png')],
  // Pages of other sites name it.
  ['/embed.js', asset(readFileSync(new URL('scripts/embed.js', import.meta.url)), 'text/javascript; charset=utf-8')],
])

/** Browsers without `light-dark()`, such as Safari before 17.5, have the light colours. */
function onlyLight(rules: string): string {
  const colours = rules
    .matchAll(/^ {2}(--[\w-]+): light-dark\((#\w+),/gm)
    .map(([, name, light]) => `${name}: ${light};`)
  return `@supports not (color: light-dark(red, red)) {
  :root, :root[data-theme] { color-scheme: light; ${[...colours].join(' ')} }
}`
}

function asset(body: Buffer, type: string, { immutable = false } = {}): Asset {
  return { body, type, etag: `"${hash(body)}"`, immutable }
}

function typeOf(name: string): string {
  return extname(name) === '.svg' ? 'image/svg+xml' : 'image/png'
}

function hash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16)
}
