import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishStatus } from '../src/actions/statuses/publish.ts'
import { openBackend } from '../src/backend.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { sql } from '../src/db/sql.ts'
import { createUser } from '../src/domain/auth/users.ts'
import { refreshTrends } from '../src/domain/trends/refresh.ts'
import { countIn, readArguments } from './lib/arguments.ts'

const HELP = `Measures what trends cost per new post: with and without counting its hashtags, while the history grows, and when many
post with one hashtag at once. It creates an embedded database of its own.

Usage: node scripts/run.js bench/trends.ts [OPTIONS]

  --statuses N   posts of each measurement (400)
  --history N    rows of history, then ten times as many (100000)`

const { values } = readArguments(HELP, {
  options: { statuses: { type: 'string', default: '400' }, history: { type: 'string', default: '100000' } },
})
const [posts, history] = [countIn(values, 'statuses'), countIn(values, 'history')]
const TAGS = ['news', 'cats', 'music']
const AUTHORS = 40
const AT_ONCE = 8

const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-trends-'))
const backend = await openBackend(readConfig({ DATA_DIR: dataDir, PORT: '3998', LOG_LEVEL: 'error' }), 'server')
try {
  const { ctx } = backend
  const authors = await makeAuthors(ctx)
  await measure(ctx, authors) // Warms up code, plans and caches.
  console.log(
    `milliseconds per post with ${TAGS.length} hashtags, median of ${posts}; rows of use today; time to refresh all scores`,
  )
  await countUses(ctx, false)
  const without = await report(ctx, authors, 'without counting', null)
  await countUses(ctx, true)
  const withTrends = await report(ctx, authors, 'with counting', without)
  for (const rows of [history, history * 10]) {
    await growHistory(ctx, rows)
    await report(ctx, authors, `with ${rows.toLocaleString('en')} rows more`, withTrends)
  }
} finally {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
}

async function makeAuthors(ctx: Context): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < AUTHORS; i++) {
    const username = `author${i}`
    const user = { username, email: `${username}@localhost`, password: '', passwordHash: 'x', confirmed: true }
    ids.push((await createUser(ctx, user)).accountId)
  }
  return ids
}

async function post(ctx: Context, accountId: string): Promise<void> {
  const content = `<p>${TAGS.map((tag) => `#${tag}`).join(' ')}</p>`
  await publishStatus(ctx, { accountId, local: true, visibility: 'public', content, tags: TAGS, language: 'en' })
}

/** One after the other, and several at once. */
async function measure(ctx: Context, authors: string[]): Promise<{ alone: number; together: number }> {
  const times: number[] = []
  for (let i = 0; i < posts; i++) {
    const begin = performance.now()
    await post(ctx, authors[i % AUTHORS] as string)
    times.push(performance.now() - begin)
  }
  const begin = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < posts) await post(ctx, authors[next++ % AUTHORS] as string)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const together = (performance.now() - begin) / posts
  return { alone: times.toSorted((a, b) => a - b)[Math.floor(posts / 2)] ?? 0, together }
}

type Measured = { name: string; alone: number }

async function report(ctx: Context, authors: string[], name: string, base: Measured | null): Promise<Measured> {
  const { alone, together } = await measure(ctx, authors)
  const begin = performance.now()
  await refreshTrends(ctx)
  const refreshed = performance.now() - begin
  const { n } = await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from tag_uses`)
  const ratio = base ? ` (${(alone / base.alone).toFixed(2)} times ${base.name})` : ''
  console.log(
    `${name.padEnd(28)} ${alone.toFixed(2)} ms${ratio}; ${AT_ONCE} at once: ${together.toFixed(2)} ms each; ${n} rows; refresh ${refreshed.toFixed(0)} ms`,
  )
  return { name, alone }
}

/** A trigger drops the rows before they are written. */
async function countUses(ctx: Context, counted: boolean): Promise<void> {
  await ctx.db.raw(
    counted
      ? 'drop trigger ignored on tag_uses'
      : `create function ignore_use() returns trigger language plpgsql as 'begin return null; end';
         create trigger ignored before insert on tag_uses for each row execute function ignore_use()`,
  )
}

/** Other accounts that used the same hashtags today. */
async function growHistory(ctx: Context, rows: number): Promise<void> {
  await ctx.db.run(sql`
    insert into tag_uses (day, tag_id, account_id)
    select (now() at time zone 'utc')::date, t.id, n from generate_series(1, ${Math.ceil(rows / TAGS.length)}::int) n, tags t
    on conflict do nothing`)
  await ctx.db.raw('analyze tag_uses')
}
