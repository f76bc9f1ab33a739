import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actor, as, id, key } from '../../test/support/activity-samples.ts'
import { parseActor, parseKey } from './actor.ts'

test('an actor is read', () => {
  const parsed = parseActor(actor)!
  assert.equal(parsed.id, id)
  assert.equal(parsed.sharedInbox, 'https://a.test/inbox')
  assert.equal(parsed.url, 'https://a.test/@ada')
  assert.deepEqual(parsed.icon, { url: 'https://files.test/a.png', mediaType: 'image/png', description: 'a bird' })
  assert.equal(parsed.image?.url, 'https://files.test/h.png')
  assert.deepEqual(parsed.fields, [{ name: 'Site', value: '<a>x</a>' }])
  assert.equal(parsed.tags[0]?.name, ':blob:')
  assert.deepEqual(parsed.publicKeys, [{ id: key.id, owner: id, pem: key.publicKeyPem }])
  assert.deepEqual(
    [parsed.manuallyApprovesFollowers, parsed.discoverable, parsed.indexable, parsed.memorial, parsed.suspended],
    [true, true, false, true, false],
  )
  assert.deepEqual(
    [parsed.alsoKnownAs, parsed.movedTo, parsed.attributionDomains, parsed.webfinger],
    [['https://b.test/ada'], 'https://c.test/ada', ['a.test'], 'ada@a.test'],
  )
  assert.equal(parseActor({ ...actor, type: ['Service', 'x'] })?.type, 'Service')
})

test('an actor in expanded form is the same actor', () => {
  const expanded = {
    '@id': id,
    '@type': [`${as}Person`],
    [`${as}preferredUsername`]: [{ '@value': 'ada' }],
    [`${as}name`]: [{ '@value': 'Ada' }],
    'http://www.w3.org/ns/ldp#inbox': [{ '@id': `${id}/inbox` }],
    [`${as}endpoints`]: [{ [`${as}sharedInbox`]: [{ '@id': 'https://a.test/inbox' }] }],
    'https://w3id.org/security#publicKey': [
      {
        '@id': key.id,
        'https://w3id.org/security#owner': [{ '@id': id }],
        'https://w3id.org/security#publicKeyPem': [{ '@value': key.publicKeyPem }],
      },
    ],
    'http://joinmastodon.org/ns#featured': [{ '@id': `${id}/collections/featured` }],
    [`${as}manuallyApprovesFollowers`]: [{ '@value': true }],
  }
  const parsed = parseActor(expanded)!
  const { preferredUsername, name, inbox, featured, publicKeys, manuallyApprovesFollowers } = parsed
  assert.deepEqual(
    { preferredUsername, name, inbox, featured, manuallyApprovesFollowers },
    {
      preferredUsername: 'ada',
      name: 'Ada',
      inbox: `${id}/inbox`,
      featured: `${id}/collections/featured`,
      manuallyApprovesFollowers: true,
    },
  )
  assert.equal(publicKeys.length, 1)
  assert.equal(parsed.sharedInbox, 'https://a.test/inbox')
})

test('an actor cannot claim addresses on another host', () => {
  const foreign = { id: 'https://victim.test/u#main-key', owner: id, publicKeyPem: 'x' }
  const owned = { id: `${id}#other`, owner: 'https://victim.test/u', publicKeyPem: 'x' }
  const parsed = parseActor({
    ...actor,
    publicKey: [foreign, owned, key],
    followers: 'https://victim.test/followers',
    featured: 'https://victim.test/f',
    url: 'https://victim.test/@v',
  })!
  assert.deepEqual(
    parsed.publicKeys.map((each) => each.id),
    [key.id],
  )
  assert.deepEqual([parsed.followers, parsed.featured, parsed.url], [null, null, null])
})

test('other documents are not actors', () => {
  for (const json of [
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { ...actor, type: 'Note' },
    { ...actor, id: 'ada' },
    { ...actor, id: null },
    { ...actor, inbox: undefined },
    { ...actor, inbox: 'javascript:1' },
  ]) {
    assert.equal(parseActor(json), null)
  }
})

test('a key document and Multikeys are read', () => {
  assert.deepEqual(parseKey(key), { id: key.id, owner: id, pem: key.publicKeyPem })
  assert.equal(parseKey({ ...key, owner: undefined }), null)
  const multikey = { id: `${id}#ed25519-key`, type: 'Multikey', controller: id, publicKeyMultibase: 'z6Mk' }
  const parsed = parseActor({
    ...actor,
    assertionMethod: [multikey, { ...multikey, controller: 'https://victim.test/' }, 'https://a.test/key'],
  })!
  assert.deepEqual(parsed.assertionMethods, [{ id: multikey.id, controller: id, publicKeyMultibase: 'z6Mk' }])
})
