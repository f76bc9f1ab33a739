import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
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
