import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { activityContentType } from '../../src/ap/content.ts'
import { PUBLIC, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'
import { startSite, type Site } from '../support/site.ts'

// What other servers try: to speak in the name of others, to have us vouch for them.

let server: TestServer
let peer: Peer
let site: Site
let ada: Person
let eve: PeerActor

before(async () => {
  ;[server, peer, site] = await Promise.all([startTestServer(), startPeer(), startSite()])
  ada = await server.person('ada')
  eve = await peer.actor('eve')
})
after(() => Promise.all([server?.stop(), peer?.stop(), site?.stop()]))

const find = async (uri: string): Promise<any> =>
  (await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=statuses`)).statuses[0]

test('a host that redirects to anywhere does not vouch for what is there', async () => {
  const away = (to: string) => ({ status: 302, headers: { location: to }, body: '' })
  const victim = `${site.url}/users/victim`
  site.serve('/users/victim', {
    type: activityContentType,
    body: JSON.stringify({
      id: victim,
      type: 'Person',
      preferredUsername: 'victim',
      inbox: `${victim}/inbox`,
      publicKey: { id: `${victim}#main-key`, owner: victim, publicKeyPem: eve.keys.publicKeyPem },
    }),
  })
  site.serve(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:victim@${site.domain}`)}`, {
    type: 'application/jrd+json',
    body: JSON.stringify({
      subject: `acct:victim@${site.domain}`,
      links: [{ rel: 'self', type: 'application/activity+json', href: victim }],
    }),
  })
  const said = { id: `${site.url}/said`, type: 'Note', attributedTo: victim, content: '<p>said</p>', to: [PUBLIC] }
  const truth = site.serve('/said', { type: activityContentType, body: JSON.stringify(said) })
  assert.equal((await find(truth)).content, '<p>said</p>')
  const forged = (path: string) => ({
    id: `${site.url}${path}`,
    type: 'Note',
    attributedTo: victim,
    content: '<p>never said</p>',
    to: [PUBLIC],
  })
  site.serve('/go?to=forged', away(peer.serve('/forged', forged('/go?to=forged'))))
  assert.equal(await find(`${site.url}/go?to=forged`), undefined, 'asked for at the redirecting host')
  const elsewhere = peer.serve('/pointer', forged('/go?to=second'))
  site.serve('/go?to=second', away(peer.serve('/second', forged('/go?to=second'))))
  assert.equal(await find(elsewhere), undefined, 'named from elsewhere')
  const { rows } = await server.database.raw("select 1 from statuses where content like '%never said%'")
  assert.deepEqual(rows, [])
})

test('a post that moved within its host is still found', async () => {
  const note = {
    id: `${peer.url}/notes/moved`,
    type: 'Note',
    attributedTo: eve.uri,
    content: '<p>moved</p>',
    to: [PUBLIC],
  }
  peer.serve('/notes/moved', note)
  assert.equal(
    (await find(site.serve('/old', { status: 301, headers: { location: note.id }, body: '' }))).content,
    '<p>moved</p>',
  )
})
