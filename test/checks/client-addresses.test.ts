import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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

/** Reached from another screen, or by acts. */
const NO_DESTINATIONS = ['/', '/publish', '/share', '/links', '/filters/new', '/collections/new']

test('every screen with a fixed address is a destination of the command palette', async () => {
  const source = await readFile(new URL('../../client/src/app/destinations.ts', import.meta.url), 'utf8')
  const offered = new Set([...source.matchAll(/path: '([^']+)'/g)].map(([, path]) => path))
  const paths = (await clientScreens()).map((path) => path.replace(/\/:\w+\?$/, ''))
  const missing = paths.filter((path) => !path.includes(':') && !offered.has(path))
  assert.deepEqual(missing, NO_DESTINATIONS)
})
