import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isClientPath } from '../../src/web/client/addresses.ts'

test('the server sends the web client at the address of every screen', async () => {
  const screens = await readFile(new URL('../../client/src/app/screens.tsx', import.meta.url), 'utf8')
  const paths = [...screens.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path)
  assert.ok(paths.length > 3, screens)
  for (const path of paths) {
    const address = path
      .replace(/\/:handle.*/, '/@ada')
      .replace(/\/:rest\*|\/:\w+\?/g, '')
      .replaceAll(/:\w+/g, '1')
    assert.ok(isClientPath(address), `${path} is missing in src/web/client/addresses.ts`)
  }
})
