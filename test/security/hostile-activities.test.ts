// Generated nonsense in the inbox: activities of every type, with parts missing, repeated, or of another kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { settleAll } from '../support/other-software.ts'
import { stage } from '../support/stage.ts'

type Json = Record<string, any>

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const of = await settleAll(peer)
const senders = [of['mastodon'], of['akkoma'], of['lemmyGroup']] as PeerActor[]
const adaUri = `http://${server.domain}/users/ada`

/** Activities that arrive together share statements and jobs. */
const AT_ONCE = 10

let seed = 1
/** A whole number below `limit`: the same ones in every run. */
function below(limit: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * limit)
}
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T

/** Of texts, separated by blanks. */
const words = (text: string): string[] => text.split(/\s+/)

const nonsense = (uri: string): readonly unknown[] => [
  null,
  [],
  {},
  '',
  0,
  -1,
  1e308,
  2 ** 53,
  true,
  'a\0b',
  '\ud800',
  'x'.repeat(5000),
  '🦜'.repeat(400),
  ['a', [null, [null]]],
  { '@value': 'x', '@language': 'xx' },
  { '@list': [{ '@id': adaUri }] },
  ...words(`javascript:alert(1) http://[::1 http://xn--/ http://user:pw@${peer.domain}/x ${peer.url}/missing
    constructor __proto__ as:Public ${PUBLIC} ${adaUri} ${adaUri}/followers ${uri} ${uri}#x ${of['akkoma']?.uri}
    http://${server.domain}/users/%00/statuses/1 ${adaUri}/statuses/${'9'.repeat(30)} P1Y ${'1'.repeat(400)}
    9999-12-31T23:59:59Z 0000-01-01T00:00:00Z 2026-13-45T99:99:99Z`),
]

const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => [[name], ...pathsOf(part).map((path) => [name, ...path])])
    : []

/** Changes up to three parts. The actor stays, as only its own activities get past the signature. */
function spoilt(activity: Json, uri: string): Json {
  const copy = structuredClone(activity)
  for (let change = 0; change <= below(3); change += 1) {
    const path = oneOf(pathsOf(copy).filter(([name]) => name !== 'actor'))
    const last = path.at(-1) ?? ''
    const parent = path.slice(0, -1).reduce((part: Json, name) => part[name] as Json, copy)
    const value: unknown = parent[last]
    const how = below(7)
    if (how === 0) delete parent[last]
    else parent[last] = how === 1 ? [value] : how === 2 ? [value, oneOf(nonsense(uri))] : oneOf(nonsense(uri))
  }
  return copy
}

function note(actor: PeerActor, number: number, uri: string): Json {
  const id = `${peer.url}/notes/${number}`
  return {
    ...peer.create(actor, {}).object,
    id,
    type: oneOf(['Note', 'Question', 'Article', 'Video', 'ChatMessage']),
    contentMap: { en: '<p>hi</p>' },
    cc: [adaUri],
    inReplyTo: oneOf([uri, id, `${peer.url}/notes/${number - 1}`]),
    quote: oneOf([uri, id, `${peer.url}/notes/${number - 1}`]),
    url: [{ type: 'Link', mediaType: 'text/html', href: `${peer.url}/pages/${number}` }],
    updated: '2026-01-01T00:00:00Z',
    tag: [
      { type: 'Mention', href: adaUri, name: '@ada' },
      { type: 'Emoji', name: ':e:', icon: { url: `${peer.url}/e` } },
    ],
    attachment: [
      { type: 'Document', url: `${peer.url}/a.png`, width: 10, height: 20, focalPoint: [0, 1], duration: 'PT1S' },
    ],
    interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] }, canReply: { always: adaUri } },
    oneOf: [{ name: 'a', replies: { totalItems: 1 } }, { name: 'b' }],
    endTime: '2999-01-01T00:00:00Z',
    likes: { totalItems: 4 },
  }
}

function activity(actor: PeerActor, number: number, uri: string): Json {
  const base = { id: `${peer.url}/generated/${number}`, actor: actor.uri, to: [PUBLIC], cc: [adaUri] }
  const object = note(actor, number, uri)
  const wrapped = { ...base, id: `${base.id}/inner`, type: oneOf(['Create', 'Update', 'Delete', 'Like']), object }
  const target = oneOf([uri, adaUri, `${peer.url}/notes/${number - 1}`])
  return oneOf<Json>([
    { ...base, type: oneOf(['Create', 'Update', 'QuoteRequest', 'Announce']), object, instrument: object },
    { ...base, type: 'Announce', object: wrapped },
    { ...base, type: oneOf(['Like', 'Follow', 'Block', 'Announce', 'Delete', 'Flag', 'EmojiReact']), object: target },
    {
      ...base,
      type: 'Undo',
      object: { ...base, type: oneOf(['Like', 'Follow', 'Announce', 'Accept']), object: target },
    },
    {
      ...base,
      type: oneOf(['Accept', 'Reject']),
      object: { id: `${adaUri}#follows/1`, type: 'Follow', actor: adaUri },
    },
    { ...base, type: oneOf(['Accept', 'Reject']), object: `${adaUri}#like_requests/1`, result: `${peer.url}/approval` },
    { ...base, type: oneOf(['Add', 'Remove', 'Move']), object: target, target: `${actor.uri}/collections/featured` },
    { ...base, type: oneOf(['LikeRequest', 'ReplyRequest']), object: uri, instrument: wrapped },
  ])
}

test('no generated activity ends in a server error, and timelines stay readable', { timeout: 300_000 }, async () => {
  const { uri } = await ada.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 600 },
  })
  for (let number = 1; number <= 200; number += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const actor = oneOf(senders)
        const sent = spoilt(activity(actor, number + n, uri), uri)
        const status = await peer.send(server, actor, sent)
        assert.ok([202, 400, 401].includes(status), `${status} for ${JSON.stringify(sent).slice(0, 1000)}`)
      }),
    )
  await server.drain()
  for (const path of ['timelines/home', 'timelines/public', 'notifications', 'conversations'])
    assert.equal((await ada.send('GET', `/api/v1/${path}?limit=40`)).status, 200, path)
})
