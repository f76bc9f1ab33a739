import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { renderClientTypes } from '../../scripts/lib/client-types.js'
import { renderSchema } from '../../scripts/lib/schema.js'
import { createTestDatabase } from '../support/database.ts'

test('src/db/schema.ts is what `npm run schema` generates from the migrations', async () => {
  const database = await createTestDatabase()
  try {
    const current = await readFile(new URL('../../src/db/schema.ts', import.meta.url), 'utf8')
    assert.equal(current, await renderSchema(database.url))
  } finally {
    await database.drop()
  }
})

test('client/src/api/schema.d.ts is what `npm run schema` generates from the OpenAPI document', async () => {
  const current = await readFile(new URL('../../client/src/api/schema.d.ts', import.meta.url), 'utf8')
  assert.equal(current, await renderClientTypes())
})
