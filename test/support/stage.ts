import { after } from 'node:test'
import { startPeer, type Peer } from './peer.ts'
import { startTestServer, type Person, type TestServer } from './server.ts'

export type StageOptions<Account extends string, PeerName extends string> = {
  accounts?: readonly Account[]
  peers?: readonly PeerName[]
  /** Changes to the configuration, as environment variables. */
  env?: NodeJS.ProcessEnv
  /** For tests that change the server itself: no other test file uses it before or after. */
  fresh?: boolean
}

/**
 * Sets up what the tests of a file share: `const { server, ada, peer } = await stage({ accounts: ['ada'], peers: ['peer'] })`.
 * Everything is taken down after the last test of the file. Call it at the top level of a test file.
 */
export async function stage<const Account extends string = never, const PeerName extends string = never>(
  options: StageOptions<Account, PeerName> = {},
): Promise<{ server: TestServer } & Record<Account, Person> & Record<PeerName, Peer>> {
  const { accounts = [], peers = [], env = {}, fresh = false } = options
  const running: { stop(): Promise<void> }[] = []
  after(async () => void (await Promise.all(running.map((each) => each.stop()))))
  const server = await startTestServer(env, { fresh })
  running.push(server)
  const found: Record<string, TestServer | Person | Peer> = { server }
  for (const name of peers) {
    const peer = await startPeer()
    running.push(peer)
    found[name] = peer
  }
  for (const name of accounts) found[name] = await server.person(name)
  return found as { server: TestServer } & Record<Account, Person> & Record<PeerName, Peer>
}
