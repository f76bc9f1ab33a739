import type { Backend } from '../../src/backend.ts'
import { sql } from '../../src/db/sql.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { documentOf, fact, type IndexableStatus } from '../../src/domain/search/status-document.ts'
import { idAt } from '../../src/lib/ids.ts'
import { createRandom } from '../seed/random.ts'

export type Corpus = {
  /** Wrote one in fifty posts, and has favourited up to 30,000 others. */
  heavy: { accountId: string; userId: string }
  /** Has favourited 200 posts. */
  light: { accountId: string; userId: string }
  /** Low ranks are common words. */
  word(rank: number): string
  /** Three words that follow one another in some post. */
  phrase(n: number): string
  /** A word that all of the oldest posts have, and no others. */
  burst: string
  /** Two words that each occur in a third of the posts, but never together. */
  apart: [string, string]
  /** An author of many old posts and no recent ones. */
  gone: string
  /** The day (YYYY-MM-DD) on which a tenth of the period has passed. */
  early: string
  size: string
}

const AUTHORS = 2000
const WORDS = 80_000
const BATCH = 5000
const YEARS = 2
const SHARE = 8192

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ra se ti vo wa xe zu'.split(' ')

function wordOf(rank: number): string {
  let text = ''
  for (let n = rank + 20; n > 0; n = Math.floor(n / SYLLABLES.length)) text += SYLLABLES[n % SYLLABLES.length]
  return text
}

/**
 * Creates posts whose words follow Zipf's law, over two years, by 2,000 authors of whom 40% are indexable. The server's own code
 * makes the search documents; they are written in batches.
 */
export async function fillCorpus({ ctx, database }: Backend, count: number): Promise<Corpus> {
  const started = performance.now()
  const report = (text: string): void =>
    console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`)
  const [heavy, light] = [await createSearcher(ctx, 'heavy'), await createSearcher(ctx, 'light')]
  const first = Date.now() - YEARS * 365 * 86_400_000
  const step = (Date.now() - first) / count
  const idOf = (n: number): string => idAt(new Date(first + Math.floor(n * step)), n & 0xffff)
  await createAuthors(ctx)
  const shares = Array.from({ length: Math.ceil(count / SHARE) - 1 }, (_, i) => idOf((i + 1) * SHARE))
  await ctx.db.run(sql`insert into search_shares select unnest(${shares}::bigint[])`)
  await database.raw('drop index status_search_document')
  const phrases = await writePosts(ctx, { count, heavy: heavy.accountId, idOf, report })
  await database.raw(
    'create index status_search_document on status_search using gin (document) with (fastupdate = off)',
  )
  report('indexed')
  await addFavourites(ctx, [heavy.accountId, light.accountId], count, idOf)
  report('favourites')
  await database.raw('vacuum analyze')
  const { rows } = await database.raw(`select pg_size_pretty(pg_total_relation_size('status_search')) as size`)
  report('ready')
  return {
    heavy,
    light,
    word: wordOf,
    phrase: (n) => `"${phrases[n % phrases.length]}"`,
    burst: 'burstword',
    apart: ['leftword', 'rightword'],
    gone: 'person5',
    early: new Date(first + (count * step) / 10).toISOString().slice(0, 10),
    size: (rows[0] as { size: string }).size,
  }
}

const createSearcher = (ctx: Backend['ctx'], username: string): ReturnType<typeof createUser> =>
  createUser(ctx, {
    username,
    email: `${username}@localhost`,
    password: 'correct horse battery',
    confirmed: true,
  })

async function createAuthors(ctx: Backend['ctx']): Promise<void> {
  await ctx.db.run(sql`
    insert into accounts (id, username, domain, uri, indexable) select n, 'person' || n, 'far.test', 'https://far.test/' || n, n % 5 < 2
    from generate_series(1, ${AUTHORS}) n`)
  await ctx.db.run(sql`update accounts set domain = null, uri = null where id <= ${AUTHORS}`)
  await ctx.db.run(sql`
    insert into users (id, account_id, email, password_hash, confirmed_at) select n, n, n || '@localhost', 'x', now() from generate_series(1, ${AUTHORS}) n`)
}

async function writePosts(
  ctx: Backend['ctx'],
  options: { count: number; heavy: string; idOf: (n: number) => string; report: (text: string) => void },
): Promise<string[]> {
  const { count, heavy, idOf, report } = options
  const random = createRandom(7).next
  const pick = picker(random)
  const phrases: string[] = []
  for (let at = 0; at < count; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) =>
      makePost(at + i, count, heavy, random, pick),
    )
    const findable = batch.find(({ open }) => open)
    if (findable) phrases.push(findable.text.split(' ').slice(3, 6).join(' '))
    await writeBatch(ctx, batch, idOf)
    if (at % (BATCH * 20) === 0) report(`${at} posts`)
  }
  return phrases
}

type Post = { n: number; author: string; open: boolean; text: string; reply: boolean; poll: boolean }

/** Returns a function that picks ranks by Zipf's law. */
function picker(random: () => number): () => number {
  const sums = new Float64Array(WORDS)
  let sum = 0
  for (let rank = 0; rank < WORDS; rank++) sums[rank] = sum += 1 / (rank + 2.7)
  return () => {
    const sought = random() * sum
    let [low, high] = [0, WORDS - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < sought) low = middle + 1
      else high = middle
    }
    return low
  }
}

function makePost(n: number, count: number, heavy: string, random: () => number, pick: () => number): Post {
  // `heavy` writes one post in fifty; the author without recent posts wrote one in twenty of the older half.
  const left = n < count / 2 && n % 20 === 1
  const number = n % 50 === 0 ? 0 : left ? 5 : 6 + Math.floor(random() ** 2 * (AUTHORS - 6))
  const words = Array.from({ length: 8 + Math.floor(random() * 30) }, () => wordOf(pick()))
  if (n < count / 20) words.push('burstword')
  if (n % 3 < 2) words.push(n % 3 === 0 ? 'leftword' : 'rightword')
  return {
    n,
    author: number === 0 ? heavy : String(number),
    open: number !== 0 && number % 5 < 2,
    text: words.join(' '),
    reply: random() < 0.4,
    poll: random() < 0.002,
  }
}

async function writeBatch(ctx: Backend['ctx'], posts: readonly Post[], idOf: (n: number) => string): Promise<void> {
  const ids = posts.map(({ n }) => idOf(n))
  const documents = posts.map((post, i) => {
    const findable: IndexableStatus = {
      id: ids[i] as string,
      account_id: post.author,
      open: post.open,
      texts: [post.text],
      reply: post.reply,
      sensitive: false,
      language: 'en',
      poll: post.poll,
      media: [],
      card: null,
      readers: [],
    }
    return documentOf(findable)
  })
  await ctx.db.run(sql`
    with posts as (
      insert into statuses (id, account_id, text, content, visibility, language, local, reply, created_at)
      select id, author, body, '<p>' || body || '</p>', 'public', 'en', true, reply, to_timestamp((id >> 16) / 1000.0)
      from unnest(${ids}::bigint[], ${posts.map(({ author }) => author)}::bigint[], ${posts.map(({ text }) => text)}::text[], ${posts.map(({ reply }) => reply)}::boolean[])
        as p (id, author, body, reply)
    )
    insert into status_search (status_id, document)
    select id, (document || ' ''' || ${fact.share('')} || (select max(lower_id) from search_shares where lower_id <= id) || '''')::tsvector
    from unnest(${ids}::bigint[], ${documents}::text[]) as d (id, document)`)
}

async function addFavourites(
  ctx: Backend['ctx'],
  [heavy, light]: readonly string[],
  count: number,
  idOf: (n: number) => string,
): Promise<void> {
  for (const [account, wanted] of [
    [heavy, Math.min(30_000, count / 10)],
    [light, 200],
  ] as const) {
    const every = Math.max(1, Math.floor(count / wanted))
    const ids = Array.from({ length: wanted }, (_, i) => idOf(i * every + 3))
    await ctx.db.run(
      sql`insert into favourites (account_id, status_id) select ${account}, unnest(${ids}::bigint[]) on conflict do nothing`,
    )
    await ctx.db.run(sql`
      insert into status_search (status_id, keeper_id, document)
      select status_id, ${account}::bigint, ts_delete(document, ${fact.open}) || ${`'${fact.reader(account ?? '')}'`}::tsvector
      from status_search where status_id = any(${ids}::bigint[]) and keeper_id is null on conflict do nothing`)
  }
}
