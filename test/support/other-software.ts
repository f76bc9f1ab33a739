import { generateRsaKeyPair } from '../../src/ap/keys.ts'
import type { Peer, PeerActor } from './peer.ts'
import { PUBLIC } from './peer.ts'

// Actors and posts as the software of other servers really writes them.

type Json = Record<string, any>

export const AS = 'https://www.w3.org/ns/activitystreams'
const SECURITY = 'https://w3id.org/security/v1'

/** The path and name of an actor, and what its document has besides the common members. */
type Shape = { path: string; name: string; key?: string; document?: (uri: string, url: string) => Json }

async function settle(peer: Peer, { path, name, key, document }: Shape): Promise<PeerActor> {
  const keys = await generateRsaKeyPair()
  const uri = `${peer.url}${path}`
  const keyId = key === undefined ? `${uri}#main-key` : `${peer.url}${key}`
  // Only Misskey gives keys a type; others accept it.
  const publicKey = { id: keyId, type: 'Key', owner: uri, publicKeyPem: keys.publicKeyPem }
  const actor = {
    '@context': [AS, SECURITY],
    id: uri,
    type: 'Person',
    preferredUsername: name,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    publicKey,
    ...document?.(uri, peer.url),
  }
  peer.serve(path, actor)
  const jrd = {
    subject: `acct:${name}@${peer.domain}`,
    links: [{ rel: 'self', type: 'application/activity+json', href: uri }],
  }
  peer.serve(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}@${peer.domain}`)}`, {
    type: 'application/jrd+json; charset=utf-8',
    body: JSON.stringify(jrd),
  })
  // A key with its own document is served with the members of the actor that identify its owner.
  if (key !== undefined)
    peer.serve(key, { '@context': [AS, SECURITY], id: uri, type: 'Person', preferredUsername: name, publicKey })
  return { name, uri, keyId, keys, document: actor }
}

export const actors: Readonly<Record<string, Shape>> = {
  mastodon: {
    path: '/ap/users/116000000000000001',
    name: 'masto',
    document: (uri, url) => ({
      '@context': [
        AS,
        SECURITY,
        { toot: 'http://joinmastodon.org/ns#', featured: { '@id': 'toot:featured', '@type': '@id' } },
      ],
      url: `${url}/@masto`,
      name: 'Masto Don',
      summary: '<p>Trunk</p>',
      featured: `${uri}/collections/featured`,
      manuallyApprovesFollowers: false,
      discoverable: true,
      indexable: true,
      published: '2026-01-02T00:00:00Z',
      memorial: false,
      attachment: [{ type: 'PropertyValue', name: 'Home', value: 'the savannah' }],
      endpoints: { sharedInbox: `${url}/inbox` },
      icon: { type: 'Image', mediaType: 'image/png', url: `${url}/icon.png` },
    }),
  },
  gotosocial: {
    path: '/users/sloth',
    name: 'sloth',
    key: '/users/sloth/main-key',
    document: (uri, url) => ({
      '@context': [AS, 'https://w3id.org/security/v1', 'http://joinmastodon.org/ns', 'http://schema.org'],
      url: `${url}/@sloth`,
      attachment: [],
      tag: [],
      summary: '',
      manuallyApprovesFollowers: true,
      icon: { type: 'Image', mediaType: 'image/jpeg', name: 'a sloth', url: `${url}/sloth.jpg` },
      featured: `${uri}/collections/featured`,
    }),
  },
  snac: {
    path: '/snail',
    name: 'snail',
    document: (uri, url) => ({
      url: uri,
      name: 'Snail :shell:',
      published: '2026-01-23T17:11:09Z',
      summary: 'slow<br>',
      tag: [
        {
          id: `${url}/snail/s/shell.png`,
          type: 'Emoji',
          name: ':shell:',
          updated: '2026-01-23T17:20:08Z',
          icon: { type: 'Image', mediaType: 'image/png', url: `${url}/snail/s/shell.png` },
        },
      ],
      following: `${uri}/following`,
      featured: `${uri}/featured`,
      icon: { type: 'Image', mediaType: 'image/png', url: `${url}/susie.png` },
      attachment: [{ type: 'PropertyValue', name: 'Pronoun', value: 'it' }],
      manuallyApprovesFollowers: false,
      webfinger: `snail@${new URL(url).host}`,
    }),
  },
  akkoma: {
    path: '/users/fox',
    name: 'fox',
    document: (uri, url) => ({
      '@context': [AS, `${url}/schemas/litepub-0.1.jsonld`, { '@language': 'und' }],
      capabilities: { acceptsChatMessages: false },
      featured: `${uri}/collections/featured`,
      tag: [],
      attachment: [{ type: 'PropertyValue', name: 'Pronouns', value: 'it' }],
      url: uri,
      alsoKnownAs: [],
      endpoints: { sharedInbox: `${url}/inbox`, oauthTokenEndpoint: `${url}/oauth/token` },
      'vcard:bday': null,
    }),
  },
  misskey: {
    path: '/users/9k2j3h4g5f',
    name: 'mi',
    document: (uri, url) => ({
      '@context': [AS, SECURITY, { Key: 'sec:Key', misskey: 'https://misskey-hub.net/ns#', isCat: 'misskey:isCat' }],
      url: `${url}/@mi`,
      name: null,
      summary: null,
      _misskey_summary: null,
      icon: null,
      image: null,
      tag: [],
      isCat: true,
      sharedInbox: `${url}/inbox`,
      endpoints: { sharedInbox: `${url}/inbox` },
    }),
  },
  pixelfed: {
    path: '/users/pix',
    name: 'pix',
    document: (_uri, url) => ({
      url: `${url}/pix`,
      name: 'Pix',
      summary: null,
      endpoints: { sharedInbox: `${url}/f/inbox` },
      icon: [{ type: 'Image', mediaType: 'image/jpeg', url: `${url}/pix.jpg` }],
    }),
  },
  peertube: {
    path: '/accounts/tuber',
    name: 'tuber',
    document: (uri, url) => ({
      url: uri,
      name: 'Tuber',
      playlists: `${uri}/playlists`,
      endpoints: { sharedInbox: `${url}/inbox` },
      published: '2024-01-01T00:00:00.000Z',
    }),
  },
  peertubeChannel: {
    path: '/video-channels/channel',
    name: 'channel',
    document: (uri, url) => ({
      type: 'Group',
      url: uri,
      name: 'Channel',
      attributedTo: [{ type: 'Person', id: `${url}/accounts/tuber` }],
      support: null,
    }),
  },
  lemmyUser: {
    path: '/u/lem',
    name: 'lem',
    document: (_uri, url) => ({
      followers: undefined,
      published: '2023-06-01T00:00:00.000000Z',
      matrixUserId: '@lem:m.test',
      endpoints: { sharedInbox: `${url}/inbox` },
      source: null,
    }),
  },
  lemmyGroup: {
    path: '/c/rooks',
    name: 'rooks',
    document: (uri, url) => ({
      type: 'Group',
      name: 'Rooks',
      sensitive: false,
      attributedTo: `${uri}/moderators`,
      featured: `${uri}/featured`,
      postingRestrictedToMods: false,
      endpoints: { sharedInbox: `${url}/inbox` },
    }),
  },
  wordpress: {
    path: '/?author=1',
    name: 'press',
    document: (_uri, url) => ({
      '@context': [AS, SECURITY, { toot: 'http://joinmastodon.org/ns#', webfinger: 'https://webfinger.net/#' }],
      url: [`${url}/author/press/`, { type: 'Link', mediaType: 'text/html', href: `${url}/?author=1` }],
      name: 'Press',
      inbox: `${url}/wp-json/activitypub/1.0/actors/1/inbox`,
      outbox: `${url}/wp-json/activitypub/1.0/actors/1/outbox`,
      followers: `${url}/wp-json/activitypub/1.0/actors/1/followers`,
      endpoints: { sharedInbox: `${url}/wp-json/activitypub/1.0/inbox` },
      attachment: [
        { type: 'PropertyValue', name: 'Blog', value: 'yes' },
        { type: 'Link', name: 'Blog', href: url, rel: ['me'] },
      ],
    }),
  },
  friendica: {
    path: '/profile/friend',
    name: 'friend',
    document: (uri, url) => ({
      '@context': [
        AS,
        SECURITY,
        { diaspora: 'https://diasporafoundation.org/ns/', vcard: 'http://www.w3.org/2006/vcard/ns#' },
      ],
      'diaspora:guid': '0123456789abcdef',
      'vcard:hasAddress': { '@type': 'vcard:Home', 'vcard:country-name': '' },
      url: uri,
      inbox: `${url}/inbox/friend`,
      followers: `${url}/followers/friend`,
      generator: { type: 'Service', name: 'Friendica' },
      endpoints: { sharedInbox: `${url}/inbox` },
    }),
  },
  mitra: {
    path: '/users/mit',
    name: 'mit',
    document: (_uri, url) => ({
      url: `${url}/@mit`,
      alsoKnownAs: ['did:key:z6MkvUie7gDQugJmyDQQPhMCCBfKJo7aGvzQYF2BqvFvdwx6'],
      attachment: [{ type: 'VerifiableIdentityStatement', subject: 'did:key:z6Mkv' }],
    }),
  },
  odd: {
    path: '/odd/actor',
    name: 'odd',
    document: (uri, url) => ({
      '@context': AS,
      type: ['Person', 'https://odd.test/ns#Oddity'],
      icon: [{ type: 'Image', url: [{ type: 'Link', href: `${url}/odd.png`, mediaType: 'image/png' }] }],
      tag: { type: 'Emoji', name: ':odd:', icon: { type: 'Image', url: `${url}/odd.png` } },
      attachment: { type: 'PropertyValue', name: 'Only', value: 'one' },
      followers: { type: 'OrderedCollection', id: `${uri}/followers` },
      // As Hubzilla escapes it.
      name: 'Odd &amp; even',
      summary: 'first line\r\nsecond line',
      manuallyApprovesFollowers: 'false',
    }),
  },
}

export async function settleAll(peer: Peer): Promise<Record<keyof typeof actors, PeerActor>> {
  const settled = await Promise.all(
    Object.entries(actors).map(async ([software, shape]) => {
      return [software, await settle(peer, shape)] as const
    }),
  )
  return Object.fromEntries(settled) as Record<keyof typeof actors, PeerActor>
}

export function createOf(actor: PeerActor, object: Json, extra: Json = {}): Json {
  return {
    '@context': AS,
    id: `${object.id}${object.id.includes('?') ? '&' : '/'}activity`,
    type: 'Create',
    actor: actor.uri,
    to: object.to ?? [PUBLIC],
    cc: object.cc ?? [],
    object,
    ...extra,
  }
}
