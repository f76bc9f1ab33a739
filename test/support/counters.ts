import assert from 'node:assert/strict'
import { sql } from './database.ts'
import { type Person, type TestServer } from './server.ts'

export async function assertCountersMatch(server: TestServer): Promise<void> {
  const wrong = await server.ctx.db.many(sql`
    select * from (
      select 'status ' || s.id || ' ' || c.name as counter, c.said, c.rows
      from statuses s left join status_stats t on t.status_id = s.id cross join lateral (values
        ('favourites', coalesce(t.favourites_count, 0), (select count(*) from favourites f where f.status_id = s.id)),
        ('reblogs', coalesce(t.reblogs_count, 0), (select count(*) from statuses b where b.reblog_of_id = s.id)),
        ('replies', coalesce(t.replies_count, 0), (select count(*) from statuses r where r.in_reply_to_id = s.id and r.visibility in ('public', 'unlisted'))),
        ('quotes', coalesce(t.quotes_count, 0), (select count(*) from quotes q where q.quoted_status_id = s.id and q.state = 'accepted'))
      ) c (name, said, rows)
      union all
      select 'account ' || a.username || ' ' || c.name, c.said, c.rows
      from accounts a left join account_stats t on t.account_id = a.id cross join lateral (values
        ('statuses', coalesce(t.statuses_count, 0), (select count(*) from statuses s where s.account_id = a.id and s.visibility <> 'direct')),
        ('followers', coalesce(t.followers_count, 0), (select count(*) from follows f where f.target_account_id = a.id)),
        ('following', coalesce(t.following_count, 0), (select count(*) from follows f where f.account_id = a.id))
      ) c (name, said, rows)
    ) counters where said <> rows`)
  assert.deepEqual(wrong, [])
}

export async function counts(viewer: Person, id: string): Promise<Record<string, number>> {
  const {
    favourites_count: favourites,
    reblogs_count: reblogs,
    replies_count: replies,
    quotes_count: quotes,
  } = await viewer.get(`/api/v1/statuses/${id}`)
  return { favourites, reblogs, replies, quotes }
}
export const NONE = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 }
/** Counts of posts, followers and followed accounts, in this order. */
export async function profile(viewer: Person, id: string): Promise<number[]> {
  const { statuses_count, followers_count, following_count } = await viewer.get(`/api/v1/accounts/${id}`)
  return [statuses_count, followers_count, following_count]
}
