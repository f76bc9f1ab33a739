import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientScreens } from '../support/client-table.ts'
import { isClientPath } from '../../src/web/client/addresses.ts'

test('the server sends the web client at the address of every screen', async () => {
  const paths = await clientScreens()
  assert.ok(paths.length > 3)
  for (const path of paths) {
    const address = path
      .replace(/\/:handle.*/, '/@ada')
      .replace(/\/:rest\*|\/:\w+\?/g, '')
      .replaceAll(/:\w+/g, '1')
    assert.ok(isClientPath(address), `${path} is missing in src/web/client/addresses.ts`)
  }
})
