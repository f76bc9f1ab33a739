// Invariants of rows, requests and jobs.
import { sql } from '../database.ts'
import { PLACE_NAMES, type World } from './world.ts'

export async function noRequestFails(world: World): Promise<string[]> {
  return world.sent
    .filter(({ status }) => status >= 500)
    .map(
      ({ by, method, path, json, status, text }) =>
        `${by} ${method} ${path} ${JSON.stringify(json)}: ${status} ${text}`,
    )
}

/** Most acts must succeed: if servers refused them, the storm would test nothing. */
export async function mostActsSucceed(world: World): Promise<string[]> {
  const acts = world.sent.filter(({ method }) => method !== 'GET')
  const refused = acts.filter(({ status }) => status >= 400)
  if (refused.length <= acts.length / 2) return []
  return refused.map(({ by, method, path, status }) => `${by} ${method} ${path}: ${status}`)
}

export async function noJobFails(world: World): Promise<string[]> {
  const found = await Promise.all(
    PLACE_NAMES.map((place) =>
      world.network[place].database.raw(
        `select name, data, output from pgboss.job where state = 'failed' or state = 'retry'`,
      ),
    ),
  )
  return found.flatMap(({ rows }) => rows.map((row: unknown) => JSON.stringify(row).slice(0, 1500)))
}

/** Only of local accounts: the counters of remote ones come from their servers. */
export async function countersMatchRows(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const rows = await world.network[place].ctx.db.many(sql`
      select * from (
        select 'status ' || coalesce(s.uri, s.id::text) || ' ' || coalesce(s.text, s.content) || ' ' || c.name as counter, c.said, c.rows
        from statuses s left join status_stats t on t.status_id = s.id cross join lateral (values
          ('favourites', coalesce(t.favourites_count, 0), (select count(*) from favourites f where f.status_id = s.id and f.approval is null)),
          ('reblogs', coalesce(t.reblogs_count, 0), (select count(*) from statuses b where b.reblog_of_id = s.id and b.approval is null)),
          ('replies', coalesce(t.replies_count, 0), (select count(*) from statuses r where r.in_reply_to_id = s.id
            and r.visibility in ('public', 'unlisted') and r.approval is null)),
          ('quotes', coalesce(t.quotes_count, 0), (select count(*) from quotes q where q.quoted_status_id = s.id and q.state = 'accepted'))
        ) c (name, said, rows)
        union all
        select 'account ' || a.username || ' ' || c.name, c.said, c.rows
        from accounts a left join account_stats t on t.account_id = a.id cross join lateral (values
          ('statuses', coalesce(t.statuses_count, 0), (select count(*) from statuses s where s.account_id = a.id and s.visibility <> 'direct' and s.approval is null)),
          ('followers', coalesce(t.followers_count, 0), (select count(*) from follows f where f.target_account_id = a.id)),
          ('following', coalesce(t.following_count, 0), (select count(*) from follows f where f.account_id = a.id))
        ) c (name, said, rows)
        where a.domain is null
      ) counters where said <> rows`)
    problems.push(...rows.map((row) => `${place}: ${JSON.stringify(row)}`))
  }
  return problems
}

/** Local polls: the counts of remote polls come from their servers. */
export async function pollsMatchVotes(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const place of PLACE_NAMES)
    problems.push(
      ...(
        await world.network[place].ctx.db.many(sql`
          select p.id, p.tallies, v.tallies as votes, p.voters_count, v.voters from polls p
          join statuses s on s.id = p.status_id and s.local
          cross join lateral (select
            array(select (select count(*) from poll_votes v where v.poll_id = p.id and v.choice = c)::int
              from generate_series(0, cardinality(p.options) - 1) c order by c) as tallies,
            (select count(distinct account_id) from poll_votes v where v.poll_id = p.id)::int as voters) v
          where p.tallies <> v.tallies or p.voters_count <> v.voters`)
      ).map((row) => `${place}: ${JSON.stringify(row)}`),
    )
  return problems
}

/** Columns with ids of rows that no foreign key holds. Not the participants of conversations, which deleted accounts remain. */
const REFERENCES: Record<string, string> = {
  'home_feed.account_id': 'accounts',
  'home_feeds.account_id': 'accounts',
  'running_fan_outs.status_id': 'statuses',
  'statuses.media_ids': 'media_attachments',
  'statuses.poll_id': 'polls',
  'statuses.quote_id': 'quotes',
  'tag_uses.tag_id': 'tags',
}

export async function rowsPointToRows(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const place of PLACE_NAMES)
    for (const [column, target] of Object.entries(REFERENCES)) {
      const [table, name] = column.split('.') as [string, string]
      const { rows } = await world.network[place].database.raw(`
        select row_to_json(t)::text as row from ${table} t cross join lateral unnest(array[t.${name}]) referenced (to_id)
        where to_id is not null and not exists (select from ${target} where ${target}.id = to_id)`)
      problems.push(...rows.map((row: unknown) => `${place} ${column}: ${JSON.stringify(row)}`))
    }
  return problems
}

/** Rows of one fact that two tables have. */
const CONTRADICTIONS: Record<string, string> = {
  'a follow and a request': `select f.* from follows f join follow_requests r using (account_id, target_account_id)`,
  'a follow despite a block': `select f.* from follows f join blocks b on
    (b.account_id, b.target_account_id) in ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id))`,
  'an endorsement without a follow': `select e.* from endorsements e where not exists (
    select from follows f where f.account_id = e.account_id and f.target_account_id = e.target_account_id)`,
  'a list member who is not followed': `select m.* from list_accounts m where m.account_id <> m.owner_id and not exists (
    select from follows f where f.account_id = m.owner_id and f.target_account_id = m.account_id) and not exists (
    select from follow_requests f where f.account_id = m.owner_id and f.target_account_id = m.account_id)`,
  'a list member who is exclusive, unlike the list': `select m.* from list_accounts m join lists l on l.id = m.list_id where m.exclusive <> l.exclusive`,
  'a boost of a private post by another': `select b.id, b.uri from statuses b join statuses o on o.id = b.reblog_of_id
    where o.visibility in ('private', 'direct') and o.account_id <> b.account_id`,
  'two boosts of a post by one': `select account_id, reblog_of_id from statuses where reblog_of_id is not null group by 1, 2 having count(*) > 1`,
  'a pin of what may not be pinned': `select p.* from status_pins p join statuses s on s.id = p.status_id
    where s.account_id <> p.account_id or s.visibility = 'direct' or s.reblog_of_id is not null`,
  'more than five pins': `select account_id from status_pins group by 1 having count(*) > 5`,
  'a poll or quote that its status does not name': `select s.id from statuses s left join polls p on p.status_id = s.id
    left join quotes q on q.status_id = s.id where s.poll_id is distinct from p.id or s.quote_id is distinct from q.id`,
  'a conversation whose last status is not in it': `select c.id from account_conversations c where not exists (select from account_conversation_statuses s
    where s.account_conversation_id = c.id and s.status_id = c.last_status_id)`,
  'a notification of a status that may not be seen': `select n.* from notifications n join statuses s on s.id = n.status_id
    where s.visibility = 'direct' and s.account_id <> n.account_id and not exists (
      select from mentions m where m.status_id = s.id and m.account_id = n.account_id)`,
  'filtered notifications without a request': `select n.* from notifications n where n.filtered and not exists (
    select from notification_requests r where n.account_id = r.account_id and n.from_account_id = r.from_account_id)`,
  'an interaction with a direct post by a stranger': `select f.* from favourites f join statuses s on s.id = f.status_id where s.visibility = 'direct'
    and f.account_id <> s.account_id and not exists (select from mentions m where m.status_id = s.id and m.account_id = f.account_id)
    and not exists (select from former_mentions m where m.status_id = s.id and m.account_id = f.account_id)`,
  'an account in the collection of another despite a block': `select i.* from collection_items i join collections c on c.id = i.collection_id
    join blocks b on (b.account_id, b.target_account_id) in ((c.account_id, i.account_id), (i.account_id, c.account_id)) where i.state = 'accepted'`,
  'a notification of a collection without the account': `select n.* from notifications n where n.type in ('added_to_collection', 'collection_update')
    and not exists (select from collection_items i where i.collection_id = n.subject_id and i.account_id = n.account_id and i.state in ('pending', 'accepted'))`,
  'a follow between a local account and one that staff suspended': `select f.* from follows f
    join accounts s on s.id in (f.account_id, f.target_account_id) and s.suspension_origin in ('local', 'domain')
    join accounts o on o.id in (f.account_id, f.target_account_id) and o.id <> s.id and o.domain is null`,
  'a scheduled status that is late': `select id from scheduled_statuses where scheduled_at < now()`,
  'an attachment that no revision of its status has': `select m.id, m.status_id from media_attachments m join statuses s on s.id = m.status_id
    where not m.id = any(s.media_ids) and not exists (select from status_edits e, jsonb_array_elements(e.media) shown
      where e.status_id = s.id and shown ->> 'id' = m.id::text)`,
  'a poll without votes of its options': `select v.* from poll_votes v join polls p on p.id = v.poll_id where v.choice >= cardinality(p.options)`,
  'a reply to another conversation': `select s.id from statuses s join statuses p on p.id = s.in_reply_to_id where s.conversation_id <> p.conversation_id`,
  'an attachment of two statuses': `select id from (select unnest(media_ids) as id from statuses) attached group by id having count(*) > 1`,
  'an attachment that names another status': `select m.id, m.status_id from statuses s join media_attachments m on m.id = any(s.media_ids)
    where m.status_id is distinct from s.id`,
  'a vote of the author': `select v.* from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id where s.account_id = v.account_id`,
  'two votes where one is allowed': `select poll_id, account_id from poll_votes v join polls p on p.id = v.poll_id and not p.multiple
    group by 1, 2 having count(*) > 1`,
  'filtered notifications of an accepted sender': `select n.* from notifications n join notification_permissions p using (account_id, from_account_id) where n.filtered`,
  'an accepted request that waits for its notifications': `select * from notification_merges`,
  'a fan-out that has not ended': `select * from running_fan_outs`,
  'an activity that was not processed': `select * from inbox_activities where body is not null`,
  'a request to an unlocked account by one that was never limited': `select r.* from follow_requests r join accounts t on t.id = r.target_account_id and t.domain is null and not t.locked
    join accounts f on f.id = r.account_id where not exists (
      select from audit_log l where l.target_type = 'domain_block' or (l.action = 'silence' and l.target_id = f.id::text))`,
  'an edit of a status that was not edited': `select s.id from statuses s join status_edits e on e.status_id = s.id where s.edited_at is null`,
  'a tag use count that is wrong': `select t.name, u.day, u.account_id, u.uses from tag_uses u join tags t on t.id = u.tag_id where u.uses <= 0`,
}

export async function rowsDoNotContradict(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const place of PLACE_NAMES)
    for (const [what, statement] of Object.entries(CONTRADICTIONS)) {
      const { rows } = await world.network[place].database.raw(statement)
      problems.push(...rows.map((row: unknown) => `${place}: ${what}: ${JSON.stringify(row)}`))
    }
  return problems
}
