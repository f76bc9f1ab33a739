import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { refreshTrends } from '../../src/domain/trends/refresh.ts'
import { cleanUp } from '../../src/worker/clean-up.ts'
import { populate } from '../contract/populate.ts'
import { announceToProviders, mailNewPosts, saveSettings } from '../support/acts.ts'
import { pretendRows } from '../support/large-statistics.ts'
import { moderatedServer } from '../support/moderated-server.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Plans the statements that the server sends while it answers each GET, works off jobs and cleans up, as if tables held ten
// million rows. None may read a growing table from end to end, or cost as much as reading tens of thousands of rows.

/** Tables that grow with administrators, and lists with a limit. */
const SMALL = [
  'fasp_backfills', 'fasp_debug_callbacks', 'fasp_providers', 'fasp_subscriptions',
  'account_warning_presets', 'announcements', 'archives', 'block_lists', 'custom_emojis', 'domain_allows', 'domain_blocks',
  'email_domain_blocks', 'imports', 'ip_blocks', 'link_trends', 'media_cache', 'peers', 'preview_card_providers', 'relays', 'roles',
  'rule_translations', 'rules', 'running_fan_outs', 'schema_migrations', 'secrets', 'settings', 'site_uploads', 'status_trends', 'system_keys',
  'tag_trends', 'terms_of_service', 'username_blocks', 'webhooks',
  'well_known_accounts',
] // prettier-ignore

/** Rows live for an hour at most, so that each clean-up deletes most of what it reads. */
const SHORT_LIVED = [
  'idempotency_keys',
  'oauth_grants',
  'one_time_tokens',
  'rate_limits',
  'sign_in_steps',
  'spent_challenges',
] as const

/** Statements that may read much, by a part of their text. */
const ALLOWED: Record<string, string> = {
  'from changes where xid': 'entries live for minutes, and their connection plans no scans of the table',
  'with people as (': 'numbers of the instance, memoized',
  'select distinct a.domain from accounts': 'peers of the instance, memoized',
  'group by a.domain order by count(*)': 'peers of the instance, memoized',
  'order by ast.followers_count desc': 'popular local accounts, memoized',
  'users u join roles r on r.id = u.role_id': 'staff with a permission',
  'join roles rr on rr.id = ru.role_id': 'staff with a permission; there are few, which no general plan can know',
  'or ( name %': 'a search by trigrams, whose estimate is high',
  'lower(c.name) like $2 order by c.updated_at': 'a search by trigrams, whose estimate is high',
  'as logins': 'the activity of weeks, memoized',
  'with lost as (': 'trends: a job reads the uses of today',
  'with used as (': 'trends: a job reads what was used within the last hour or days',
  'delete from sessions where last_seen_at': 'hourly; an index would cost more with each request',
  'delete from login_activities where created_at': 'hourly, by its index; few are left, which no general plan can know',
  'select a.id from oauth_apps a where a.created_at': 'hourly',
  'update users set sign_up_ip = null': 'hourly; few are left, which no general plan can know',
  'select u.id from users u where u.confirmed_at is null': 'hourly; few are left, which no general plan can know',
  'update oauth_tokens set last_used_ip = null': 'hourly; an index would cost more with each use of a token',
  'delete from notification_requests q where q.updated_at': 'hourly',
  'delete from deleted_reported_statuses': 'hourly; few are old, which no general plan can know',
  'delete from severed_relationships r': 'hourly; few severances end',
  'update account_keys set former_private_key = null': 'hourly; few keys were replaced, which no general plan can know',
  'with best as (': 'hourly: the accounts with the most followers',
  'with unread as (delete from home_feeds': 'hourly; a row for each active account',
  'from pgboss.job where name not like': 'the tests, which wait for jobs',
  'date - $1::int': 'a range of days by its index, of a length that the plan does not know',
}

/** Indexes of statements that would otherwise filter all rows in the order of another one, by a part of their text. */
const NEEDED: Record<string, string> = {
  'lower(a.display_name) like': 'accounts_name_trgm',
  'lower(u.email) like': 'users_email_trgm',
}

type Statement = { text: string; values: unknown[]; byValue: boolean }
const statements = new Map<string, Statement>()
/** Connections whose statements are planned for their values. */
const planning = new WeakSet<pg.Client>()
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  if (String(args[0]).includes('set plan_cache_mode = force_custom_plan;')) planning.add(this)
  const [config] = args as [{ name?: string; text?: string; values?: unknown[] }]
  const { name, text, values = [] } = config ?? {}
  if (name && text && /^\s*(select|insert|update|delete|with)\b/i.test(text))
    statements.set(text, { text, values, byValue: planning.has(this) })
  return query.apply(this, args)
} as typeof pg.Client.prototype.query

const { server } = await stage({ env: { EXPERIMENTAL_FEATURES: 'fasp' }, fresh: true })

/** Sends each GET, also for further pages, and lets jobs and clean-up run. */
async function useEverything(): Promise<void> {
  const me = await populate(server)
  const { owner } = await moderatedServer(server)
  const [{ id }] = await me.get('/api/v1/timelines/home')
  const { json } = await server.send('GET', '/api/openapi.json')
  const requests = Object.entries(json.paths as Record<string, { get?: { parameters: { name: string }[] } }>)
    .filter(([path, { get }]) => get && !path.includes('/streaming'))
    .flatMap(([template, { get }]) => {
      const path = template.replaceAll(/\{[^}]+\}/g, template.includes('/statuses/') ? id : me.id)
      const takes = (name: string): boolean => get?.parameters.some((parameter) => parameter.name === name) ?? false
      const isPaged = takes('max_id') || takes('offset')
      return [
        path,
        ...(takes('q') ? [`${path}?limit=20&q=test`] : []),
        ...(isPaged ? [`${path}?max_id=${id}&q=test`] : []),
      ]
    })
  const work = async (): Promise<void> => {
    for (let path = requests.pop(); path; path = requests.pop())
      await (path.includes('/admin/') ? owner : me).send('GET', path)
  }
  await Promise.all([work(), work(), work(), work()])
  // Statements are planned for their last values. The index of trigrams does not know this script; its estimates for others are high.
  for (const type of ['accounts', 'hashtags', 'collections'])
    for (const q of ['---', '日本語']) await me.send('GET', `/api/v2/search?type=${type}&q=${encodeURIComponent(q)}`)
  for (const filter of ['display_name=absent', 'email=absent'])
    await owner.send('GET', `/api/v2/admin/accounts?${filter}`)
  await mailPosts()
  await tellProviders(me)
  await me.send('DELETE', `/api/v1/statuses/${id}`)
  await server.drain()
  await refreshTrends(server.ctx)
  await cleanUp(server.ctx)
}

/** Posts of an account with a subscriber. */
async function mailPosts(): Promise<void> {
  await saveSettings(server.ctx, { email_subscriptions: true })
  const author = await server.person('author', { role: ['manage_email_subscriptions'] })
  await server.database.raw(`update users set settings = '{"email_subscriptions": true}' where id = $1`, [
    author.userId,
  ])
  await server.send('POST', `/api/v1/accounts/${author.id}/email_subscriptions`, { json: { email: 'ann@a.test' } })
  await server.drain()
  await server.database.raw('update email_subscriptions set confirmed_at = now(), mailed_id = 0')
  await author.post('/api/v1/statuses', { status: 'Mailed' })
  await mailNewPosts(server.ctx, { accountId: author.id })
  await server.drain()
}

/** What a provider asked for: what was there before, and what happens from now on. It does not answer. */
async function tellProviders(me: Person): Promise<void> {
  const raw = (text: string) => server.database.raw(text)
  await raw(`update fasp_providers set enabled = '{callback,data_sharing}' where confirmed_at is not null`)
  const announce = async (): Promise<void> => {
    await raw('update fasp_providers set retry_at = null')
    await announceToProviders(server.ctx, {})
    await server.drain()
  }
  for (const category of ['account', 'content']) {
    await raw(`
      insert into fasp_backfills (provider_id, category, max_count) select id, '${category}', 10 from fasp_providers where confirmed_at is not null`)
    await announce()
    await raw('delete from fasp_backfills')
  }
  await me.send('PATCH', '/api/v1/profile', { json: { discoverable: true, indexable: true } })
  for (const [category, type] of [
    ['account', 'lifecycle'],
    ['content', 'lifecycle'],
    ['content', 'trends'],
  ]) {
    await raw(`
      insert into fasp_subscriptions (provider_id, category, type, max_batch_size, timeframe, shares, likes, replies)
      select id, '${category}', '${type}', 10, 15, 3, 3, 3 from fasp_providers where confirmed_at is not null`)
    const { id } = await me.post('/api/v1/statuses', { status: 'Told' })
    await me.post(`/api/v1/statuses/${id}/favourite`)
    await me.send('PATCH', '/api/v1/profile', { json: { note: type } })
    await announce()
    await raw('delete from fasp_subscriptions')
  }
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Total Cost': number; Plans?: Plan[] }

function scansOf(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? ''
  const isScan = plan['Node Type'] === 'Seq Scan' && ![...SMALL, ...SHORT_LIVED].includes(table)
  return [...(isScan ? [`reads all of ${table}`] : []), ...(plan.Plans ?? []).flatMap(scansOf)]
}

/** In units of the planner: reading a row by an index costs about one. */
const MAX_COST = 50_000

async function problemsOf(client: pg.Client, { text, values, byValue }: Statement): Promise<string[]> {
  const { rows } = byValue
    ? await client.query({ text: `explain (format json) ${text}`, values })
    : await client.query(`explain (generic_plan, format json) ${text}`)
  const plan = rows[0]['QUERY PLAN'][0].Plan as Plan
  const [, index = ''] = Object.entries(NEEDED).find(([part]) => text.includes(part)) ?? []
  if (!JSON.stringify(plan).includes(index)) return [`does not use ${index}`]
  const scans = scansOf(plan)
  return scans.length === 0 && plan['Total Cost'] > MAX_COST ? [`costs ${Math.round(plan['Total Cost'])}`] : scans
}

test('plans do not stay from before the first analysis: each table is analysed when a few rows have changed', async () => {
  const { rows } = await server.database.raw(`
    select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not (array_to_string(reloptions, ',') ~ 'autovacuum_analyze_threshold=1(,|$)') and relname !~ '_stats$'`)
  assert.deepEqual(rows, [])
})

test('names are found by how they begin in databases of any locale', async () => {
  const { rows } = await server.database.raw(`
    select array_agg(opcname::text) as operators from pg_index join pg_opclass on pg_opclass.oid = indclass[0]
    where indexrelid in ('accounts_handle'::regclass, 'tags_name_key'::regclass)`)
  assert.deepEqual(rows[0]?.operators, ['text_pattern_ops', 'text_pattern_ops'])
})

test('no statement reads a growing table from end to end', async () => {
  await useEverything()
  assert.ok(statements.size > 400, `only ${statements.size} statements`)
  await pretendRows(server.database, [...SMALL, ...SHORT_LIVED])
  const client = await server.database.dedicated()
  const problems: string[] = []
  try {
    for (const statement of statements.values()) {
      const text = statement.text.replaceAll(/\s+/g, ' ').trim()
      if (Object.keys(ALLOWED).some((part) => text.includes(part))) continue
      const found = await problemsOf(client, statement)
      if (found.length > 0) problems.push(`${found.join(', ')}: ${text}`)
    }
  } finally {
    await client.end()
  }
  assert.deepEqual(problems, [])
})
