import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, id, note } from '../../test/support/activity-samples.ts'
import { parseActivity } from './activity.ts'
import { parseObject } from './note.ts'

test('activities are parsed from strings, objects and lists', () => {
  const follow = { id: 'https://a.test/f/1', type: 'Follow', actor: id, object: 'https://b.test/b' }
  for (const json of [
    follow,
    { ...follow, actor: { id, type: 'Person' }, object: { id: 'https://b.test/b' } },
    { ...follow, type: ['Follow'], actor: [id], object: ['https://b.test/b'] },
    {
      '@id': follow.id,
      '@type': `${as}Follow`,
      [`${as}actor`]: [{ '@id': id }],
      [`${as}object`]: [{ '@id': 'https://b.test/b' }],
    },
  ]) {
    const parsed = parseActivity(json)!
    assert.deepEqual(
      [parsed.id, parsed.type, parsed.actor, parsed.objectId],
      [follow.id, 'Follow', id, 'https://b.test/b'],
      JSON.stringify(json),
    )
  }
  const create = parseActivity({ type: 'Create', actor: id, object: note, to: 'Public', cc: [id], published: 'x' })!
  assert.deepEqual(
    [create.id, create.objectId, create.objectTypes, create.to, create.published],
    [null, note.id, ['Note'], [`${as}Public`], null],
  )
  assert.equal(parseObject(create.object)?.id, note.id)
  assert.deepEqual(
    parseActivity({ type: 'Flag', actor: id, object: ['https://b.test/u', 'https://b.test/1'], content: 'spam' })
      ?.objects,
    ['https://b.test/u', 'https://b.test/1'],
  )
  for (const json of [
    null,
    'x',
    [],
    {},
    { type: 'Follow' },
    { actor: id },
    { ...follow, actor: 'ada' },
    { ...follow, type: 7 },
    { ...follow, type: [] },
  ])
    assert.equal(parseActivity(json), null)
})
