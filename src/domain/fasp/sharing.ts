// Data sharing: the addresses of accounts and posts that auxiliary service providers asked for.
// https://github.com/mastodon/fediverse_auxiliary_service_provider_specifications/blob/main/discovery/data_sharing/v0.1/data_sharing.md
import type { Context } from '../../context.ts'
import type { FaspBackfills, FaspEvents, FaspSubscriptions } from '../../db/schema.ts'
import { count, nothing, sql, type Sql } from '../../db/sql.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { wantsToBeFound } from '../accounts/find.ts'
import { accountUri, statusUri } from '../server/addresses.ts'
import { isShownInPublic } from '../statuses/visibility.ts'

type Category = 'account' | 'content'
type EventType = 'new' | 'update' | 'delete' | 'trending'

/** As wantsToBeFound, for a status `s` by `a`. */
const mayShareStatus: Sql = sql`(${isShownInPublic} and s.reblog_of_id is null and a.indexable)`

// Subscriptions and requests for backfills: what providers ask for

const MAX_SUBSCRIPTIONS = 16
const DEFAULT_BATCH = 100
const MAX_BATCH = 500
/** In minutes. */
const MAX_TIMEFRAME = 7 * 24 * 60
const MAX_INTERACTIONS = 1_000_000

export type NewSubscription = Pick<
  FaspSubscriptions,
  'type' | 'max_batch_size' | 'timeframe' | 'shares' | 'likes' | 'replies'
> & { category: Category }

type Json = Readonly<Record<string, unknown>>

/** Throws Invalid. */
export function parseSubscription(given: Json): NewSubscription {
  const category = parseCategory(given)
  const type = given.subscriptionType
  if (type !== 'lifecycle' && type !== 'trends')
    throw new Invalid('subscriptionType must be one of lifecycle and trends')
  if (type === 'trends' && category !== 'content') throw new Invalid('trends are available for the category content')
  const size = Math.min(integerIn(given, 'maxBatchSize', DEFAULT_BATCH, Number.MAX_SAFE_INTEGER), MAX_BATCH)
  const none = { timeframe: null, shares: null, likes: null, replies: null }
  return { category, type, max_batch_size: size, ...(type === 'trends' ? parseThreshold(given.threshold) : none) }
}

function parseThreshold(given: unknown = {}): Pick<NewSubscription, 'timeframe' | 'shares' | 'likes' | 'replies'> {
  if (typeof given !== 'object' || given === null) throw new Invalid('threshold must be an object')
  const threshold = given as Json
  const atLeast = (name: string): number => integerIn(threshold, name, 3, MAX_INTERACTIONS)
  return {
    timeframe: integerIn(threshold, 'timeframe', 15, MAX_TIMEFRAME),
    shares: atLeast('shares'),
    likes: atLeast('likes'),
    replies: atLeast('replies'),
  }
}

function parseCategory({ category }: Json): Category {
  if (category !== 'account' && category !== 'content') throw new Invalid('category must be one of account and content')
  return category
}

function integerIn(given: Json, name: string, fallback: number | null, max: number): number {
  const value = given[name] ?? fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Invalid(`${name} must be a whole number from 1 to ${max}`)
}

/** Returns the id; that of the same subscription, if the provider has it. Throws Invalid above the limit. */
export const insertSubscription = (ctx: Context, providerId: string, wanted: NewSubscription): Promise<string> =>
  ctx.transaction(async (tx) => {
    const { category, type, max_batch_size: size, timeframe, shares, likes, replies } = wanted
    await lockProvider(tx, providerId)
    const known = await tx.db.maybe<Pick<FaspSubscriptions, 'id'>>(sql`
      select id from fasp_subscriptions
      where provider_id = ${providerId} and category = ${category} and type = ${type} and max_batch_size = ${size}
        and timeframe is not distinct from ${timeframe} and shares is not distinct from ${shares}
        and likes is not distinct from ${likes} and replies is not distinct from ${replies}`)
    const row =
      known ??
      (await tx.db.maybe<Pick<FaspSubscriptions, 'id'>>(sql`
        insert into fasp_subscriptions (provider_id, category, type, max_batch_size, timeframe, shares, likes, replies)
        select ${providerId}, ${category}, ${type}, ${size}, ${timeframe}, ${shares}, ${likes}, ${replies}
        where (select count(*) from fasp_subscriptions where provider_id = ${providerId}) < ${MAX_SUBSCRIPTIONS}::int
        returning id`))
    if (!row) throw new Invalid(`A provider can have ${MAX_SUBSCRIPTIONS} subscriptions`)
    return row.id
  })

/** Throws NotFound when the provider is deleted meanwhile. */
async function lockProvider(tx: Context, id: string): Promise<void> {
  if (!(await tx.db.maybe(sql`select from fasp_providers where id = ${id} for update`))) throw new NotFound()
}

/** Throws NotFound, also for the subscription of another provider. */
export async function deleteFaspSubscription(ctx: Context, providerId: string, id: string): Promise<void> {
  const deleted = isId(id)
    ? await ctx.db.run(sql`delete from fasp_subscriptions where id = ${id} and provider_id = ${providerId}`)
    : 0
  if (deleted === 0) throw new NotFound()
}

/** Unfinished ones of a provider, and the objects that one announcement names. */
const MAX_BACKFILLS = 20
const MAX_OBJECTS = 1000

/** Returns the id. Throws Invalid. */
export async function insertBackfill(tx: Context, providerId: string, given: Json): Promise<string> {
  const category = parseCategory(given)
  const count = Math.min(integerIn(given, 'maxCount', null, Number.MAX_SAFE_INTEGER), MAX_OBJECTS)
  await lockProvider(tx, providerId)
  const row = await tx.db.maybe<Pick<FaspBackfills, 'id'>>(sql`
    insert into fasp_backfills (provider_id, category, max_count)
    select ${providerId}, ${category}, ${count}
    where (select count(*) from fasp_backfills where provider_id = ${providerId} and fulfilled_at is null) < ${MAX_BACKFILLS}::int
    returning id`)
  if (!row) throw new Invalid(`A provider can have ${MAX_BACKFILLS} unfinished backfill requests`)
  return row.id
}

/** Throws NotFound for one that has nothing left, and for that of another provider. */
export async function continueBackfill(tx: Context, providerId: string, id: string): Promise<void> {
  const continued = isId(id)
    ? await tx.db.run(sql`
        update fasp_backfills set waiting = true where id = ${id} and provider_id = ${providerId} and fulfilled_at is null`)
    : 0
  if (continued === 0) throw new NotFound()
}

// Events: what happens to statuses and accounts that may be named

/**
 * Records an event of statuses that may be named. Before they are deleted, for `delete`. Costs nothing without the experimental
 * feature.
 */
export async function recordStatusEvent(tx: Context, type: EventType, ids: readonly string[]): Promise<void> {
  if (!tx.config.fasp || ids.length === 0) return
  const subscribed = type === 'trending' ? 'trends' : 'lifecycle'
  await tx.db.run(sql`
    insert into fasp_events (subscription_id, type, object_id, uri, username)
    select x.id, ${type}, s.id, ${type === 'delete' ? sql`s.uri, a.username` : sql`null, null`}
    from statuses s join accounts a on a.id = s.account_id cross join active_fasp_subscriptions x
    where s.id = any(${ids}::bigint[]) and x.category = 'content' and x.type = ${subscribed} and ${mayShareStatus}`)
}

/** Before a remote account is deleted because its server did so. A trigger records other changes of accounts. */
export async function recordAccountDeletion(tx: Context, id: string): Promise<void> {
  if (!tx.config.fasp) return
  await tx.db.run(sql`
    insert into fasp_events (subscription_id, type, object_id, uri, username)
    select x.id, 'delete', a.id, a.uri, a.username from accounts a cross join active_fasp_subscriptions x
    where a.id = ${id} and x.category = 'account' and ${wantsToBeFound}`)
}

// Announcements: what is sent to providers

/** The providers for which something waits, apart from those that do not answer at the moment. */
export async function findProvidersToTell(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select id from fasp_providers p
    where confirmed_at is not null and 'data_sharing' = any(enabled) and (retry_at is null or retry_at <= now())
      and (exists (select from fasp_backfills b where b.provider_id = p.id and b.waiting)
        or exists (select from fasp_subscriptions s join fasp_events e on e.subscription_id = s.id where s.provider_id = p.id))`)
  return rows.map(({ id }) => id)
}

export type EventSubscription = Pick<FaspSubscriptions, 'id' | 'max_batch_size' | 'type'> & { category: Category }

export const listSubscriptions = (ctx: Context, providerId: string): Promise<EventSubscription[]> =>
  ctx.db.many<EventSubscription>(sql`
    select id, category, type, max_batch_size from fasp_subscriptions where provider_id = ${providerId} order by id`)

export type EventBatch = { type: EventType; ids: string[]; uris: string[] }

type Named = { uri: string | null; username: string; id: string }

/** The next events of one type, in their order. Null when none waits. `uris` lacks what may not be named any more. */
export async function nextEvents(ctx: Context, subscription: EventSubscription): Promise<EventBatch | null> {
  const { id, max_batch_size: size, category } = subscription
  const waiting = await ctx.db.many<Pick<FaspEvents, 'id'> & { type: EventType }>(sql`
    select id, type from fasp_events where subscription_id = ${id} order by id limit ${size}`)
  const [first] = waiting
  if (!first) return null
  const end = waiting.findIndex(({ type }) => type !== first.type)
  const ids = (end < 0 ? waiting : waiting.slice(0, end)).map((event) => event.id)
  const named = await ctx.db.many<Named>(
    category === 'account' ? namedAccounts(first.type, ids) : namedStatuses(first.type, ids, id),
  )
  return { type: first.type, ids, uris: [...new Set(named.map((each) => uriOf(ctx, category, each)))] }
}

const namedAccounts = (type: EventType, ids: readonly string[]): Sql => sql`
  select coalesce(a.uri, e.uri) as uri, coalesce(a.username, e.username) as username, e.object_id as id
  from fasp_events e left join accounts a on a.id = e.object_id
  where e.id = any(${ids}::bigint[]) and ${type === 'delete' ? sql`coalesce(a.username, e.username) is not null` : wantsToBeFound}
  order by e.id`

function namedStatuses(type: EventType, ids: readonly string[], subscriptionId: string): Sql {
  if (type === 'delete')
    return sql`select uri, username, object_id as id from fasp_events where id = any(${ids}::bigint[]) order by id`
  // A post that trends has many events.
  return sql`
    select s.uri, a.username, s.id
    from (select object_id, min(id) as id from fasp_events where id = any(${ids}::bigint[]) group by object_id) e
      join statuses s on s.id = e.object_id join accounts a on a.id = s.account_id
    where ${mayShareStatus} ${type === 'trending' ? sql`and ${isTrending(subscriptionId)}` : nothing}
    order by e.id`
}

/** Whether a status `s` has as many interactions as a subscription to trends asks for, of one of the three kinds. */
const isTrending = (subscriptionId: string): Sql => sql`exists (
  select from fasp_subscriptions x cross join lateral (select now() - make_interval(mins => x.timeframe) as since) frame
  where x.id = ${subscriptionId} and (
    (select count(*) from favourites f where f.status_id = s.id and f.approval is null and f.created_at > frame.since) >= x.likes
    or (select count(*) from statuses r where r.reblog_of_id = s.id and r.approval is null and r.created_at > frame.since) >= x.shares
    or (select count(*) from statuses r where r.in_reply_to_id = s.id and r.approval is null and r.created_at > frame.since) >= x.replies))`

function uriOf(ctx: Context, category: Category, { uri, username, id }: Named): string {
  return uri ?? (category === 'account' ? accountUri(ctx, username) : statusUri(ctx, username, id))
}

export async function deleteEvents(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.db.run(sql`delete from fasp_events where id = any(${ids}::bigint[])`)
}

/** `version`: changes with the row. */
export type Backfill = Pick<FaspBackfills, 'id' | 'max_count' | 'before_id'> & { category: Category; version: string }

export const listWaitingBackfills = (ctx: Context, providerId: string): Promise<Backfill[]> =>
  ctx.db.many<Backfill>(sql`
    select id, category, max_count, before_id, xmin::text as version from fasp_backfills where provider_id = ${providerId} and waiting order by id`)

/** Rows that one statement reads to find those that may be named, and how many statements look for them. */
const WINDOW = 5000
const MAX_WINDOWS = 20

/** `before`: the next announcement continues there. `more`: there is more, or may be. */
export type BackfillPage = { uris: string[]; before: string | null; more: boolean }

/** The next objects, newest first. Reads a limited number of rows: `uris` may be empty although there is more. */
export async function nextBackfillPage(ctx: Context, backfill: Backfill): Promise<BackfillPage> {
  const { category, max_count: wanted } = backfill
  const found: Named[] = []
  let before = backfill.before_id
  for (let windows = 0; windows < MAX_WINDOWS; windows++) {
    const rows = await ctx.db.many<Named & { shared: boolean }>(
      category === 'account' ? accountWindow(before) : statusWindow(before),
    )
    for (const row of rows) {
      if (row.shared && found.length === wanted) return pageWith({ more: true })
      before = row.id
      if (row.shared) found.push(row)
    }
    if (rows.length < WINDOW) return pageWith({ more: false })
  }
  return pageWith({ more: true })

  function pageWith({ more }: { more: boolean }): BackfillPage {
    return { uris: found.map((each) => uriOf(ctx, category, each)), before, more }
  }
}

// Planned by value: a plan for any `before` would read all newer rows, too.

const accountWindow = (before: string | null): Sql => sql`
  select a.id, a.uri, a.username, coalesce(${wantsToBeFound}, false) as shared
  from (select id, uri, username, domain, discoverable, suspended_at, silenced_at from accounts
    where ${before}::bigint is null or id < ${before} order by id desc limit ${count(WINDOW)}) a order by a.id desc`

const statusWindow = (before: string | null): Sql => sql`
  select s.id, s.uri, a.username, ${mayShareStatus} as shared
  from (select id, uri, account_id, visibility, approval, reblog_of_id from statuses
    where ${before}::bigint is null or id < ${before} order by id desc limit ${count(WINDOW)}) s
  join accounts a on a.id = s.account_id order by s.id desc`

/** `isAnnounced`: the provider has to ask for the next objects, unless it did so before it answered the announcement. */
export async function storeBackfillPage(
  ctx: Context,
  { id, version }: Backfill,
  { before, more }: BackfillPage,
  { isAnnounced }: { isAnnounced: boolean },
): Promise<void> {
  await ctx.db.run(sql`
    update fasp_backfills set before_id = ${before}, waiting = ${!isAnnounced} or (${more} and xmin::text <> ${version}),
      fulfilled_at = case when ${!more} then now() end
    where id = ${id}`)
}
