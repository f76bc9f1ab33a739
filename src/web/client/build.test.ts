import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { followBuild } from './build.ts'

const root = mkdtempSync(join(tmpdir(), 'rookery-build-'))
after(() => rmSync(root, { recursive: true }))
const folder = join(root, 'dist')

function makeBuild(path: string, hash: string): void {
  mkdirSync(join(path, '.vite'), { recursive: true })
  mkdirSync(join(path, 'assets'))
  const chunk = (name: string) => ({ file: `assets/${name}-${hash}.js` })
  const manifest = { 'src/main.tsx': chunk('main'), '../src/messages/en/client/texts.ts': chunk('texts') }
  writeFileSync(join(path, '.vite/manifest.json'), JSON.stringify(manifest))
  for (const { file } of Object.values(manifest)) writeFileSync(join(path, file), hash)
}

test('a build that is made or replaced while the server runs counts at once', () => {
  const current = followBuild(folder)
  assert.equal(current(), null)
  makeBuild(folder, 'first')
  const first = current()
  assert.equal(first?.script, 'assets/main-first.js')
  assert.equal(current(), first, 'read once')

  makeBuild(join(root, 'next'), 'second')
  renameSync(folder, join(root, 'before'))
  assert.equal(current(), first, 'until the next one is there')
  renameSync(join(root, 'next'), folder)
  assert.equal(current()?.script, 'assets/main-second.js')
  assert.deepEqual(current()?.preloads('en'), ['assets/texts-second.js'])
  assert.deepEqual([...(current()?.files ?? [])].toSorted(), ['assets/main-second.js', 'assets/texts-second.js'])
})
