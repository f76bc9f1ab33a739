// The files that the service worker stores: those of its own build, and the shell. Nothing of the API, and no media.

/** Paths below `/client/`, inserted by the build (client/vite.config.ts). */
declare const CLIENT_BUILD: {
  version: string
  /** The script that the shell loads. */
  entry: string
  /** The files that the first visit needs. */
  first: readonly string[]
  /** The files of the other screens. */
  later: readonly string[]
}

const PREFIX = 'rookery-'
const CACHE = PREFIX + CLIENT_BUILD.version
const SHELL = '/shell'

/** Milliseconds after which a navigation shows the stored shell, though the server may still answer. */
const MAX_WAIT = 3000

/** Milliseconds before each further attempt to load what could not be loaded; the next visit tries again, too. */
const RETRY_DELAYS = [1000, 3000, 10_000]

/** Answers of a proxy before a server that is not there. */
const UNAVAILABLE = [502, 503, 504]

const addressOf = (file: string): string => `/client/${file}`

/** Null when it was deleted on signing out, while the page is still there: only an installation creates it. */
const findCache = async (): Promise<Cache | null> => ((await caches.has(CACHE)) ? caches.open(CACHE) : null)

/** Throws when one of them cannot be loaded: the browser then asks for the worker again at the next visit. */
export async function storeFirstFiles(): Promise<void> {
  const missing = await storeAll(await caches.open(CACHE), CLIENT_BUILD.first.map(addressOf))
  if (missing.length > 0) throw new Error(`Not loaded: ${missing.join(', ')}`)
}

/** `used`: what the page has loaded before the worker was there. */
export async function storeOtherFiles(used: readonly string[]): Promise<void> {
  const cache = await findCache()
  if (cache) await storeAll(cache, [SHELL, ...used.filter(isOwnFile), ...CLIENT_BUILD.later.map(addressOf)])
}

/** Returns the addresses that could not be loaded. Most failures pass. */
async function storeAll(cache: Cache, addresses: readonly string[]): Promise<string[]> {
  let missing = await storeEach(cache, addresses)
  for (const delay of RETRY_DELAYS) {
    if (missing.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, delay))
    missing = await storeEach(cache, missing)
  }
  return missing
}

/** Returns the addresses that could not be loaded: one of them must not leave the others out. */
async function storeEach(cache: Cache, addresses: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const address of addresses)
    try {
      if (await cache.match(address)) continue
      if (address === SHELL) await storeShell(await askForShell())
      else await cache.add(address)
    } catch (error) {
      console.info(error)
      missing.push(address)
    }
  return missing
}

export async function removeOldFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
}

/** Files whose names change with their content. */
const isHashedFile = (path: string): boolean => path.startsWith('/client/assets/')

/** Logos and the like. */
export const isOwnFile = (path: string): boolean =>
  isHashedFile(path) || path.startsWith('/assets/') || path.endsWith('/original/missing.png')

/** A file of the build from the cache; others, when the network does not have them. */
export async function answerFile(request: Request): Promise<Response> {
  const cache = await findCache()
  const stored = await cache?.match(request, { ignoreVary: true })
  if (stored && isHashedFile(new URL(request.url).pathname)) return stored
  try {
    const response = await fetch(request)
    if (response.status === 200) await cache?.put(request, response.clone())
    return response
  } catch (error) {
    if (stored) return stored
    throw error
  }
}

/** The server's answer; the stored shell while the server cannot be reached or takes too long. `after`: what may take longer. */
export async function answerNavigation(request: Request, after: (work: Promise<void>) => void): Promise<Response> {
  const shell = await (await findCache())?.match(SHELL)
  const answer = fetch(request).then(async (response) => {
    const isShell = response.ok && (await storeShell(response.clone()))
    if (shell && !isShell && (response.ok || response.type === 'opaqueredirect')) after(checkSession())
    return response
  })
  if (!shell) return answer
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(shell), MAX_WAIT))
  const found = await Promise.race([answer.catch(() => shell), late])
  return UNAVAILABLE.includes(found.status) ? shell : found
}

/**
 * Removes the shell once the server refuses it: the session has ended, perhaps on another device, and without a network the shell
 * would still show what the account has stored here.
 */
export async function checkSession(): Promise<void> {
  const { redirected, url } = await askForShell()
  if (redirected && new URL(url).pathname === '/auth/sign_in') await removeShell()
}

const askForShell = (): Promise<Response> => fetch('/home', { headers: { accept: 'text/html' } })

/** Only the shell of this build: that of another one needs files that are not stored. Returns whether it is one of any build. */
async function storeShell(response: Response): Promise<boolean> {
  const { status, headers } = response
  if (!headers.get('content-type')?.startsWith('text/html')) return false
  const text = await response.text()
  if (!/<html[^>]* data-account="\d/.test(text)) return false
  if (!text.includes(addressOf(CLIENT_BUILD.entry))) return true
  const stored = new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': headers.get('content-security-policy') ?? "default-src 'none'",
      'referrer-policy': 'same-origin',
    },
  })
  await (await findCache())?.put(SHELL, stored)
  return true
}

/** Another account may sign in now. */
export async function removeShell(): Promise<void> {
  await (await findCache())?.delete(SHELL)
}

/** Whether this browser has no account but this one, as far as is known. */
export async function isOnlyAccount(id: string): Promise<boolean> {
  const shell = await (await findCache())?.match(SHELL)
  const [html = ''] = /<html[^>]*>/.exec((await shell?.text()) ?? '') ?? []
  return html.includes(` data-account="${id}"`) && !html.includes(' data-other-accounts=')
}
