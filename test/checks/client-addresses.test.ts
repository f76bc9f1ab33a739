import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { adminPages } from '../support/admin-pages.ts'
import { clientScreens } from '../support/client-table.ts'
import { permissionBit } from '../support/internals.ts'
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

const readDestinations = (): Promise<string> =>
  readFile(new URL('../../client/src/app/destinations.ts', import.meta.url), 'utf8')

/** Reached from another screen, or by acts. */
const NO_DESTINATIONS = ['/', '/publish', '/share', '/links', '/filters/new', '/collections/new']

test('every screen with a fixed address is a destination of the command palette', async () => {
  const offered = new Set([...(await readDestinations()).matchAll(/path: '([^']+)'/g)].map(([, path]) => path))
  const paths = (await clientScreens()).map((path) => path.replace(/\/:\w+\?$/, ''))
  const missing = paths.filter((path) => !path.includes(':') && !offered.has(path))
  assert.deepEqual(missing, NO_DESTINATIONS)
})

test('the client offers the administration to everyone whose role opens one of its pages', async () => {
  const [, bits = ''] = /OPENS_ADMINISTRATION = (.+)/.exec(await readDestinations()) ?? []
  const opening = bits.split('|').reduce((sum, bit) => sum | Number(bit), 0)
  const permissions = adminPages().flatMap((page) => page.permissions)
  assert.deepEqual(
    permissions.filter((permission) => (opening & Number(permissionBit(permission))) === 0),
    [],
  )
})
