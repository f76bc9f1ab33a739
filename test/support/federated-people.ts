import { handleOf } from './network.ts'
import type { Person, TestServer } from './server.ts'

/** Returns the account's id on `server`, which looks up unknown accounts. */
export async function meet(server: TestServer, viewer: Person, home: TestServer, person: Person): Promise<string> {
  const { accounts } = await viewer.get(
    `/api/v2/search?q=${encodeURIComponent(`@${handleOf(home, person)}`)}&resolve=true&type=accounts`,
  )
  const found = accounts[0]
  if (!found) throw new Error(`${person.username} of ${home.domain} was not found on ${server.domain}`)
  return found.id
}

/** Waits until both servers have processed the follow. Returns the id of the followed account on the first server. */
export async function befriend(
  network: { drain(): Promise<void> },
  from: [TestServer, Person],
  to: [TestServer, Person],
): Promise<string> {
  const id = await meet(from[0], from[1], to[0], to[1])
  await from[1].post(`/api/v1/accounts/${id}/follow`)
  await network.drain()
  return id
}

/** Undefined when the viewer's server has no copy or hides it. */
export async function copyOf(viewer: Person, uri: string): Promise<any> {
  const { statuses } = await viewer.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=false&type=statuses`)
  return statuses[0]
}
