// The API answers from memory, and agrees with the rows.
import { sql } from '../database.ts'
import type { Sql } from '../internals.ts'
import { NAMES, type World } from './world.ts'

export type Row = Record<string, any>

export const difference = (said: Row, rows: Row): string[] =>
  Object.keys(rows).flatMap((key) =>
    JSON.stringify(said[key]) === JSON.stringify(rows[key])
      ? []
      : [`${key} is ${JSON.stringify(said[key])} instead of ${JSON.stringify(rows[key])}`],
  )

const some = (table: Sql, from: Sql, to: Sql): Sql =>
  sql`exists (select from ${table} t where t.account_id = ${from} and t.target_account_id = ${to})`

export async function relationshipsMatchRows(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const me = sql`${world.person(name).id}::bigint`
    const other = sql`a.id`
    const rows = await world.serverOf(name).ctx.db.many<Row>(sql`
      select a.id, ${some(sql`follows`, me, other)} as following, ${some(sql`follows`, other, me)} as followed_by,
        ${some(sql`blocks`, me, other)} as blocking, ${some(sql`blocks`, other, me)} as blocked_by,
        exists (select from mutes m where m.account_id = ${me} and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())) as muting, ${some(sql`follow_requests`, me, other)} as requested,
        ${some(sql`follow_requests`, other, me)} as requested_by, ${some(sql`endorsements`, me, other)} as endorsed,
        exists (select from account_domain_blocks d where d.account_id = ${me} and d.domain = a.domain) as domain_blocking,
        coalesce((select comment from account_notes n where n.account_id = ${me} and n.target_account_id = a.id), '') as note,
        coalesce((select notify from follows f where f.account_id = ${me} and f.target_account_id = a.id),
          (select notify from follow_requests f where f.account_id = ${me} and f.target_account_id = a.id), false) as notifying,
        coalesce((select hide_notifications from mutes m where m.account_id = ${me} and m.target_account_id = a.id
          and (m.expires_at is null or m.expires_at > now())), false) as muting_notifications
      from accounts a where a.id <> ${me} and a.username = any(${NAMES})`)
    const query = rows.map(({ id }) => `id[]=${id}`).join('&')
    const said: Row[] = await world.person(name).get(`/api/v1/accounts/relationships?with_suspended=true&${query}`)
    for (const row of rows) {
      const found = said.find(({ id }) => id === row['id'])
      const about = NAMES.find((each) => world.accountId(name, each) === row['id'])
      problems.push(...(found ? difference(found, row) : ['missing']).map((what) => `${name} and ${about}: ${what}`))
    }
  }
  return problems
}

export async function statusesMatchRows(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const { id: me, get } = world.person(name)
    const rows = await world.serverOf(name).ctx.db.many<Row>(sql`
      select s.id, coalesce(t.replies_count, 0) as replies_count, coalesce(t.reblogs_count + t.reblogs_elsewhere, 0) as reblogs_count,
        coalesce(t.favourites_count + t.favourites_elsewhere, 0) as favourites_count, coalesce(t.quotes_count, 0) as quotes_count,
        exists (select from favourites f where f.account_id = ${me} and f.status_id = s.id) as favourited,
        exists (select from bookmarks f where f.account_id = ${me} and f.status_id = s.id) as bookmarked,
        exists (select from statuses b where b.account_id = ${me} and b.reblog_of_id = s.id) as reblogged,
        exists (select from conversation_mutes c where c.account_id = ${me} and c.conversation_id = s.conversation_id) as muted,
        s.visibility, s.language, s.spoiler_text, s.in_reply_to_id
      from statuses s left join status_stats t on t.status_id = s.id where s.reblog_of_id is null`)
    const all = new Map(rows.map((row) => [row['id'], row]))
    for (let at = 0; at < rows.length; at += 20) {
      const query = rows.slice(at, at + 20).map(({ id }) => `id[]=${id}`)
      for (const status of await get(`/api/v1/statuses?${query.join('&')}`))
        problems.push(
          ...difference(status, all.get(status.id) as Row).map((what) => `${name}, status ${status.id}: ${what}`),
        )
    }
  }
  return problems
}

/** Local polls. */
export async function pollsShowVotes(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const person = world.person(name)
    const rows = await world.serverOf(name).ctx.db.many<Row>(sql`
      select p.id, s.account_id = ${person.id} or exists (select from poll_votes v where v.poll_id = p.id and v.account_id = ${person.id}) as voted,
        array(select v.choice from poll_votes v where v.poll_id = p.id and v.account_id = ${person.id} order by 1) as own_votes,
        p.multiple from polls p join statuses s on s.id = p.status_id`)
    for (const row of rows) {
      const { status, json } = await person.send('GET', `/api/v1/polls/${row['id']}`)
      if (status === 200)
        problems.push(
          ...difference({ ...json, own_votes: json.own_votes.toSorted() }, row).map(
            (what) => `${name}, poll ${row['id']}: ${what}`,
          ),
        )
    }
  }
  return problems
}

/** One conversation per group of people and thread, with the newest direct post that the reader has in it. */
export async function conversationsShowTheirNewestPost(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const { id: me, get } = world.person(name)
    const said: Row[] = await get('/api/v1/conversations?limit=40')
    const rows = await world.serverOf(name).ctx.db.many<Row>(sql`
      select c.id, max(cs.status_id) as newest, c.last_status_id as last, c.unread from account_conversations c
      join account_conversation_statuses cs on cs.account_conversation_id = c.id
      where c.account_id = ${me} group by c.id`)
    const last = new Map(rows.map((row) => [row['id'], row]))
    for (const row of rows)
      if (row['newest'] !== row['last'])
        problems.push(`${name}: the newest of ${row['id']} is ${row['newest']}, not ${row['last']}`)
    for (const { id, last_status: status, accounts, unread } of said) {
      if (status?.id !== last.get(id)?.['last'] || unread !== last.get(id)?.['unread'])
        problems.push(`${name}: conversation ${id} shows ${status?.id}, unread ${unread}`)
      if (status && status.visibility !== 'direct')
        problems.push(`${name}: conversation ${id} shows a post that is not direct`)
      if (accounts.some((account: Row) => account['id'] === me) && accounts.length > 1)
        problems.push(`${name}: conversation ${id} is with oneself`)
    }
  }
  return problems
}
