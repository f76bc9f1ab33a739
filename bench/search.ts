import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackend } from '../src/backend.ts'
import { readConfig } from '../src/config.ts'
import { searchStatuses } from '../src/domain/search/statuses.ts'
import { presentStatusList } from '../src/entities/status-presenter.ts'
import { countIn, readArguments } from './lib/arguments.ts'
import { fillCorpus } from './lib/corpus.ts'

const HELP = `Measures searches for posts, presentation included, in an embedded database of its own.

Usage: node scripts/run.js bench/search.ts [OPTIONS]

  --statuses N   posts to search (1000000); a million takes minutes to create
  --rounds N     different searches of each kind (25)`

const { values } = readArguments(HELP, {
  options: { statuses: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '25' } },
})
const [statuses, rounds] = [countIn(values, 'statuses'), countIn(values, 'rounds')]
const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-search-'))
const backend = await openBackend(readConfig({ DATA_DIR: dataDir, PORT: '3999', LOG_LEVEL: 'error' }), 'server')

const at = (numbers: number[], share: number): string =>
  (numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0)
    .toFixed(1)
    .padStart(8)

try {
  const { ctx } = backend
  const corpus = await fillCorpus(backend, statuses)
  const { heavy, light, word, phrase } = corpus
  const queries: [string, typeof heavy, (round: number) => string][] = [
    ['the most common word', light, () => word(0)],
    ['two common words', light, (n) => `${word(n)} ${word(n + 1)}`],
    ['a word of one post in a hundred', light, (n) => word(80 + n)],
    ['a word of one post in ten thousand', light, (n) => word(8000 + n)],
    ['a rare word (some posts)', light, (n) => word(50_000 + n)],
    ['a word that does not occur', light, (n) => `nowhere${n}`],
    ['two words of a third of all posts, never together', light, () => corpus.apart.join(' ')],
    ['a phrase of common words', light, (n) => `"${word(n)} ${word(n + 3)}"`],
    ['a phrase that occurs in a post', light, phrase],
    ['a phrase in no post, of a very common word', light, () => `"${corpus.apart[0]} ${corpus.apart[0]}"`],
    ['a word of the oldest posts only', light, () => corpus.burst],
    ['the same, with a common word', light, () => `${corpus.burst} ${word(0)}`],
    ['from: and a common word', light, (n) => `from:@person${n + 10} ${word(1)}`],
    ['from: an inactive author, and a common word', light, () => `from:@${corpus.gone} ${word(0)}`],
    ['from: and a rare word', light, (n) => `from:@person${n + 10} ${word(20_000 + n)}`],
    ['from: alone', light, (n) => `from:@person${n + 10}`],
    ['library (50,000 posts), common word', heavy, (n) => `in:library ${word(n)}`],
    ['library (50,000 posts), rare word', heavy, (n) => `in:library ${word(20_000 + n)}`],
    ['own posts (20,000), common words', heavy, (n) => `from:me ${word(n)} ${word(n + 1)}`],
    ['library (200 posts), common word', light, () => `in:library ${word(0)}`],
    ['library (200 posts), rare word', light, (n) => `in:library ${word(20_000 + n)}`],
    ['has:poll alone', light, () => 'has:poll'],
    ['common word, before the first year', light, () => `${word(0)} before:${corpus.early}`],
    ['rare word, during a day', light, (n) => `${word(500 + n)} during:${corpus.early}`],
    ['common word, without another', light, (n) => `${word(n)} -${word(n + 1)} -is:reply`],
  ]
  console.log(
    `\n${statuses} posts, index ${corpus.size}; ${rounds} different searches each, in milliseconds, with the posts presented`,
  )
  console.log(`${'search'.padEnd(50)}   first   median      p95  posts`)
  for (const [name, viewer, query] of queries) {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      const search = { q: query(round), limit: 20, offset: 0, accountId: null, maxId: null, minId: null }
      const ids = await searchStatuses(ctx, viewer, search)
      await presentStatusList(ctx, viewer, ids)
      times.push(performance.now() - start)
      found += ids.length
    }
    console.log(
      `${name.padEnd(50)}${(times[0] as number).toFixed(1).padStart(8)} ${at(times, 0.5)} ${at(times, 0.95)} ${(found / rounds).toFixed(1).padStart(6)}`,
    )
  }
} finally {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
}
