// Steps with actors of a simulated server that many tests need.
import assert from 'node:assert/strict'
import { PUBLIC, type Peer, type PeerActor } from './peer.ts'
import type { Person, TestServer } from './server.ts'

/** Looks the actor up on its server, and returns its account's id here. */
export async function accountIdOf(viewer: Person, on: Peer, actor: PeerActor): Promise<string> {
  const { accounts } = await viewer.get(`/api/v2/search?q=${actor.name}@${on.domain}&resolve=true&type=accounts`)
  return accounts[0].id
}

/** The viewer requests to follow, and the actor accepts. */
export async function followActor(server: TestServer, viewer: Person, on: Peer, actor: PeerActor): Promise<void> {
  const id = await accountIdOf(viewer, on, actor)
  await viewer.post(`/api/v1/accounts/${id}/follow`)
  await server.drain()
  const follow = { type: 'Follow', actor: `http://${server.domain}/users/${viewer.username}`, object: actor.uri }
  const accept = { id: `${actor.uri}#accept`, type: 'Accept', actor: actor.uri, object: follow }
  await deliverFrom(on, actor, server, accept)
}

/** Asserts that the inbox takes the activity, and waits until it is processed. */
export async function deliverFrom(on: Peer, actor: PeerActor, server: TestServer, activity: object): Promise<void> {
  assert.equal(await on.send(server, actor, activity), 202)
  await server.drain()
}

/** Delivers Updates of an author's notes, each newer than the one before, and serves the notes as they are then. */
export function reviserFor(on: Peer, author: PeerActor, server: TestServer) {
  let revision = 0
  return async (note: any, changes: object): Promise<void> => {
    const updated = new Date(Date.now() + ++revision * 1000).toISOString()
    const object = { ...note, updated, ...changes }
    on.serve(new URL(note.id).pathname, object)
    const id = `${note.id}#update-${revision}`
    await deliverFrom(on, author, server, { id, type: 'Update', actor: author.uri, to: [PUBLIC], object })
  }
}

/** Undefined when there is none that the viewer may see. */
export async function findStatus(viewer: Person, uri: string, resolve: boolean): Promise<any> {
  const { statuses } = await viewer.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=${resolve}&type=statuses`)
  return statuses[0]
}
