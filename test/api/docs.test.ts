import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../support/internals.ts'

import { stage } from '../support/stage.ts'

const { server } = await stage()

test('the OpenAPI document lists every route, and its references resolve', async () => {
  const { json, headers } = await server.send('GET', '/api/openapi.json')
  assert.equal(json.openapi, '3.1.0')
  assert.equal(json.info.license.identifier, 'AGPL-3.0-or-later')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  for (const { method, path } of routes)
    assert.ok(json.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()], `${method} ${path}`)
  const references = JSON.stringify(json).match(/#\/components\/schemas\/[^"]+/g) ?? []
  assert.ok(references.length > 0)
  for (const reference of references)
    assert.ok(json.components.schemas[reference.split('/').at(-1) as string], reference)
  const authorize = json.paths['/oauth/authorize'].get.parameters.map(({ name }: { name: string }) => name)
  assert.ok(
    ['response_mode', 'code_challenge', 'force_login'].every((name) => authorize.includes(name)),
    authorize,
  )
})

test('the documentation page lists every route with scopes, parameters and response, without scripts', async () => {
  const { text, headers } = await server.send('GET', '/api/docs')
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!text.includes('<script'))
  for (const { method, path } of routes)
    assert.ok(text.includes(`<code>${method} ${path.replace(/:(\w+)/g, '{$1}')}</code>`), `${method} ${path}`)
  const notifications = text.slice(text.indexOf('<code>GET /api/v1/notifications</code>'))
  assert.match(
    notifications,
    /^[\s\S]{0,400}read:notifications[\s\S]{0,200}list of <a href="#entity-Notification">[\s\S]{0,900}<code>exclude_types\[\]<\/code>/,
  )
  for (const [, id] of text.matchAll(/href="#([^"]+)"/g))
    assert.ok(id === 'main' || text.includes(`id="${id}"`), `#${id}`)
})

test('GET /health returns OK', async () => {
  const { status, text, headers } = await server.send('GET', '/health')
  assert.deepEqual([status, text], [200, 'OK'])
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
})
