import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'

import { stage } from '../support/stage.ts'

const { server } = await stage()

test('the source archive is public, also after an aborted download, and contains no data, settings or dependencies', async () => {
  const instance = (await server.send('GET', '/api/v2/instance')).json
  assert.equal(new URL(instance.source_url).pathname, '/source.tar.gz')
  const leaving = new AbortController()
  const aborted = await fetch(`${server.url}/source.tar.gz`, { signal: leaving.signal })
  await aborted.body?.getReader().read()
  leaving.abort()
  const answer = await fetch(`${server.url}/source.tar.gz`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/gzip')
  const names: string[] = []
  const archive = tar.extract()
  Readable.from([Buffer.from(await answer.arrayBuffer())])
    .pipe(createGunzip())
    .pipe(archive)
  for await (const entry of archive) {
    names.push(entry.header.name)
    entry.resume()
  }
  for (const name of ['LICENSE', 'package-lock.json', 'src/main.ts', 'client/src/main.tsx', 'bin/rookery', '.ci/run'])
    assert.ok(names.includes(`rookery/${name}`), name)
  assert.deepEqual(
    names.filter((name) => /node_modules|^rookery\/(data|client\/dist|\.env|\.git\/)/.test(name)),
    [],
  )
})
