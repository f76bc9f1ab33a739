import { actorContext, noteContext } from '../../src/ap/context.ts'

export const as = 'https://www.w3.org/ns/activitystreams#'
export const id = 'https://a.test/users/ada'
export const key = { id: `${id}#main-key`, owner: id, publicKeyPem: '-----BEGIN PUBLIC KEY-----\n…' }

export const actor = {
  '@context': actorContext,
  id,
  type: 'Person',
  preferredUsername: 'ada',
  name: 'Ada',
  summary: '<p>Hi</p>',
  url: 'https://a.test/@ada',
  inbox: `${id}/inbox`,
  outbox: `${id}/outbox`,
  followers: `${id}/followers`,
  following: `${id}/following`,
  featured: `${id}/collections/featured`,
  endpoints: { sharedInbox: 'https://a.test/inbox' },
  publicKey: key,
  manuallyApprovesFollowers: true,
  discoverable: true,
  indexable: false,
  memorial: true,
  icon: { type: 'Image', mediaType: 'image/PNG', url: 'https://files.test/a.png', summary: 'a bird' },
  image: ['https://files.test/h.png'],
  attachment: [{ type: 'PropertyValue', name: 'Site', value: '<a>x</a>' }, { type: 'Note' }],
  tag: {
    type: 'Emoji',
    id: 'https://a.test/emoji/1',
    name: ':blob:',
    icon: { url: 'https://files.test/e.png' },
    updated: '2026-01-01T00:00:00Z',
  },
  alsoKnownAs: 'https://b.test/ada',
  movedTo: 'https://c.test/ada',
  published: '2026-01-01T00:00:00Z',
  attributionDomains: ['a.test'],
  webfinger: 'ada@a.test',
}

export const note = {
  '@context': noteContext,
  id: 'https://a.test/notes/1',
  type: 'Note',
  attributedTo: id,
  content: '<p>hi</p>',
  contentMap: { en: '<p>hi</p>' },
  published: '2026-03-01T12:00:00.5Z',
  updated: 'never',
  to: 'as:Public',
  cc: [`${id}/followers`],
  url: 'https://a.test/@ada/1',
  inReplyTo: { id: 'https://b.test/2' },
  sensitive: true,
  summary: 'cw',
  conversation: 'tag:a.test,2026:1',
  replies: { id: 'https://a.test/notes/1/replies', type: 'Collection' },
  likes: { id: 'https://a.test/notes/1/likes', totalItems: 3 },
}
