import { type Config, PROCESS_ROLES } from '../config.ts'
import type { Log } from '../lib/log.ts'

/** A server that is ready, in one process or several. */
export type Started = { log: Log; address: string; setUpLink: string | null; stop(): Promise<void> }

/** Tells the person at the terminal where the server is. */
export function announce({ baseUrl, roles }: Config, { address, setUpLink }: Started): void {
  const port = portOf(address)
  const limited = roles.length === PROCESS_ROLES.length ? '' : ` as ${roles.join(' and ')}`
  const listening = portOf(baseUrl) === port || port === '0' ? '' : ` (listening on ${address})`
  console.log(`\nRookery is ready${limited} at ${baseUrl}${listening}`)
  if (setUpLink) console.log(`This server has no owner yet. Set it up (this link works once): ${setUpLink}`)
  console.log('Press Ctrl-C to stop.\n')
}

/** URLs leave out the default port of their scheme. */
function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port || (protocol === 'https:' ? '443' : '80')
}
