import { readConfig } from '../../src/config.ts'
import { connectOrStart } from '../../src/postgres/embedded.ts'
import { createLog } from '../../src/lib/log.ts'
import { TAGS } from '../seed/random.ts'
import { makeGraph, type Graph } from './graph.ts'
import { StatusMaker } from './statuses.ts'
import { Tables } from './tables.ts'

const BATCH = 20_000
const TAGS_EACH = 100

/** What the measured requests name. */
export type Content = {
  thread: string
  /** Ids of public statuses of the last half by local accounts, as others' servers do not exist, and of popular accounts. */
  statuses: string[]
  accounts: string[]
  tags: string[]
}

/** Fills the embedded database of a server that is stopped, and has these users. */
export async function buildContent(
  env: Record<string, string>,
  options: { size: number; userIds: readonly string[]; progress(text: string): void },
): Promise<Content> {
  const { size, progress } = options
  const embedded = await connectOrStart({ dataDir: readConfig(env).dataDir, log: createLog('warn', 'stderr') })
  const tables = new Tables(embedded.connection)
  try {
    await tables.open()
    await tables.run('delete from account_stats')
    const graph = makeGraph(size, options.userIds)
    const maker = new StatusMaker(graph, tables)
    addTags(tables)
    for (let n = 0; n < size; n++) {
      maker.add(n)
      if (n % BATCH === BATCH - 1) await tables.flush()
      if (n % (size / 10) === 0) progress(`${n.toLocaleString('en')} posts`)
    }
    await tables.flush()
    for (let n = 0; n < size; n++) {
      maker.addStats(n)
      if (n % (BATCH * 5) === 0) await tables.flush()
    }
    addAccounts(graph, maker, tables)
    await tables.flush()
    await tables.run(`select setval(pg_get_serial_sequence('tags', 'id'), (select max(id) from tags))`)
    await tables.run(`select setval('notification_sequence', (select max(id) from notifications))`)
    await tables.run(`update tags set last_status_at = (
      select s.created_at from status_tags st join statuses s on s.id = st.status_id
      where st.tag_id = tags.id and s.visibility in ('public', 'unlisted') order by st.status_id desc limit 1)`)
    await tables.finish(progress)
    return contentOf(graph, maker)
  } finally {
    await tables.close()
    await embedded.stop()
  }
}

function addTags(tables: Tables): void {
  for (let id = 1; id <= TAGS.length * TAGS_EACH; id++) {
    const name = tagName(id)
    tables.add('tags', [id, name, name])
  }
}

const tagName = (id: number): string => `${TAGS[(id - 1) % TAGS.length]}${Math.floor((id - 1) / TAGS.length)}`

function addAccounts(graph: Graph, maker: StatusMaker, tables: Tables): void {
  const { ids, accounts, users, isLocal, isIndexable, follows, timeOf } = graph
  const [following, followers] = [new Int32Array(accounts), new Int32Array(accounts)]
  for (const [account, target] of follows) {
    tables.add('follows', [ids[account], ids[target]])
    following[account]!++
    followers[target]!++
  }
  for (let n = 0; n < accounts; n++) {
    const last = maker.last[n] as number
    const lastAt = last < 0 ? null : timeOf(last).toISOString().slice(0, 10)
    tables.add('account_stats', [ids[n], maker.statusCounts[n], following[n], followers[n], lastAt])
    if (n < users) continue
    const created = timeOf(0).toISOString()
    if (isLocal(n)) tables.add('users', [ids[n], ids[n], `author${n}@localhost`, 'x', created])
    const uri = isLocal(n) ? null : `https://host${n % 500}.test/users/author${n}`
    tables.add('accounts', [
      ids[n],
      `author${n}`,
      uri && `host${n % 500}.test`,
      uri,
      uri,
      uri && `${uri}/inbox`,
      `Author ${n}`,
      '<p>Writes about many things, and reads even more.</p>',
      true,
      isIndexable(n),
      created,
      // Their servers do not exist: an older profile would be fetched again.
      uri && new Date().toISOString(),
    ])
  }
}

function contentOf({ random, size, ids, users, idOf, accounts }: Graph, maker: StatusMaker): Content {
  const open = Array.from({ length: 4000 }, () => Math.floor(size * (0.5 + random.next() / 2))).filter((n) =>
    maker.isLocalPublicPost(n),
  )
  return {
    thread: idOf(maker.thread),
    statuses: open.map((n) => idOf(n)),
    accounts: ids.slice(users, Math.min(accounts, users + 100)),
    tags: Array.from({ length: 20 }, (_, i) => tagName(i + 1)),
  }
}
