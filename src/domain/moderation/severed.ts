// Follows between local accounts and a domain or one account: their removal by a block or a suspension.
import type { Context } from '../../context.ts'
import type { Severances, SeveredRelationships } from '../../db/schema.ts'
import { name, sql, type Sql } from '../../db/sql.ts'
import { listDomainsUnder } from '../peers/domain-policy.ts'
import type { ExportedFollow } from '../relationships/exports.ts'
import { type FollowAccounts, uncountFollows } from '../relationships/follows.ts'
import { lockDomainBlocksOf } from '../relationships/locks.ts'

/**
 * Days for which a suspension or domain block can be undone: then severed follows and the data of suspended accounts are deleted.
 */
export const UNDO_DAYS = 30

/** Local accounts per transaction. */
const CHUNK = 100
/** Follows that are looked at to find them. */
const WINDOW = 2000

export type SeveranceTarget =
  | { type: 'domain_block'; domain: string }
  | { type: 'account_suspension'; accountId: string; handle: string }

export type SeveranceRow = Pick<
  Severances,
  | 'id'
  | 'target_name'
  | 'target_account_id'
  | 'announced'
  | 'severed_count'
  | 'restored_count'
  | 'created_at'
  | 'severed_at'
  | 'restore_requested_at'
  | 'restored_at'
  | 'purged_at'
> & { type: SeveranceTarget['type'] }

export const severanceColumns: Sql = sql`v.id, v.type, v.target_name, v.target_account_id, v.announced, v.severed_count, v.restored_count,
  v.created_at, v.severed_at, v.restore_requested_at, v.restored_at, v.purged_at`

/** Returns the id. */
export async function insertSeverance(tx: Context, target: SeveranceTarget, announced: boolean): Promise<string> {
  const [targetName, accountId] =
    target.type === 'domain_block' ? [target.domain, null] : [target.handle, target.accountId]
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into severances (type, target_name, target_account_id, announced)
    values (${target.type}, ${targetName}, ${accountId}, ${announced}) returning id`)
  return id
}

/** Inserts a severance for each domain, as its block begins. Returns the ids. */
export async function insertDomainSeverances(tx: Context, domains: readonly string[]): Promise<string[]> {
  const rows = await tx.db.many<{ id: string }>(sql`
    insert into severances (type, target_name, announced)
    select 'domain_block', domain, false from unnest(${domains}::text[]) domain returning id`)
  return rows.map(({ id }) => id)
}

export const findSeverance = (ctx: Context, id: string): Promise<SeveranceRow | null> =>
  ctx.db.maybe<SeveranceRow>(sql`select ${severanceColumns} from severances v where v.id = ${id}`)

/**
 * A severance with the domains that it is about: none for one account. A block covers subdomains, the purge of a server does not.
 */
export type ActiveSeverance = SeveranceRow & { domains: readonly string[] }

/** Null when it is finished, or was undone before it began. */
export async function findActiveSeverance(ctx: Context, id: string): Promise<ActiveSeverance | null> {
  const severance = await findSeverance(ctx, id)
  if (!severance || severance.severed_at !== null || severance.restore_requested_at !== null) return null
  return { ...severance, domains: await domainsOf(ctx, severance) }
}

async function domainsOf(ctx: Context, { type, target_name: domain, announced }: SeveranceRow): Promise<string[]> {
  if (type !== 'domain_block') return []
  return announced ? [domain] : listDomainsUnder(ctx, domain)
}

/** Whether the account `o` is on the other side. */
const isOther = (severance: ActiveSeverance): Sql =>
  severance.type === 'domain_block'
    ? sql`o.domain = any(${severance.domains}::text[])`
    : sql`o.id = ${severance.target_account_id}`

export type SeveredFollow = Pick<SeveredRelationships, 'local_account_id' | 'other_account_id' | 'pending' | 'uri'> & {
  id: string
  direction: 'following' | 'follower'
  other_domain: string | null
}

/**
 * Deletes the follows and follow requests of the next local accounts, and stores them. Returns an empty list when none are left.
 */
export async function severNext(tx: Context, severance: ActiveSeverance): Promise<SeveredFollow[]> {
  // An undo that begins meanwhile ends the severance, and restores the follows that were severed so far.
  const goesOn = await tx.db.maybe(
    sql`select id from severances where id = ${severance.id} and restore_requested_at is null for no key update`,
  )
  if (!goesOn) return []
  const localIds = await nextLocalAccounts(tx, severance)
  if (localIds.length === 0) return []
  await lockDomainBlocksOf(tx, localIds)
  // Requests first: those that are being accepted at this moment are then found as follows.
  const requests = await deleteAndStore(tx, severance, localIds, 'follow_requests')
  const follows = await deleteAndStore(tx, severance, localIds, 'follows')
  await uncountFollows(tx, follows.map(followAccountsOf))
  const severed = [...requests, ...follows]
  await deleteDependents(tx, severed)
  await tx.db.run(sql`
    update severances set severed_count = severed_count + ${follows.length} where id = ${severance.id}`)
  return severed
}

async function nextLocalAccounts(tx: Context, severance: ActiveSeverance): Promise<string[]> {
  const locals = (table: 'follows' | 'follow_requests'): Sql => sql`
    (select t.account_id as id from ${name(table)} t join accounts o on o.id = t.target_account_id
      join accounts l on l.id = t.account_id and l.domain is null where ${isOther(severance)} limit ${WINDOW})
    union all
    (select t.target_account_id from ${name(table)} t join accounts o on o.id = t.account_id
      join accounts l on l.id = t.target_account_id and l.domain is null where ${isOther(severance)} limit ${WINDOW})`
  const rows = await tx.db.many<{ id: string }>(
    sql`select distinct id from (${locals('follows')} union all ${locals('follow_requests')}) found order by id limit ${CHUNK}`,
  )
  return rows.map(({ id }) => id)
}

export const followAccountsOf = (row: SeveredFollow): FollowAccounts =>
  row.direction === 'following'
    ? { account_id: row.local_account_id, target_account_id: row.other_account_id }
    : { account_id: row.other_account_id, target_account_id: row.local_account_id }

function deleteAndStore(
  tx: Context,
  severance: ActiveSeverance,
  localIds: readonly string[],
  table: 'follows' | 'follow_requests',
): Promise<SeveredFollow[]> {
  return tx.db.many<SeveredFollow>(sql`
    with chosen as (
      select t.id, 'following' as direction, t.account_id as local_id, o.id as other_id, o.domain
      from ${name(table)} t join accounts o on o.id = t.target_account_id where t.account_id = any(${localIds}::bigint[]) and ${isOther(severance)}
      union all
      select t.id, 'follower', t.target_account_id, o.id, o.domain
      from ${name(table)} t join accounts o on o.id = t.account_id where t.target_account_id = any(${localIds}::bigint[]) and ${isOther(severance)}
    ), gone as (
      delete from ${name(table)} t using chosen c where t.id = c.id
      returning t.id, t.account_id, t.target_account_id, c.direction, c.local_id, c.other_id, c.domain, t.show_reblogs, t.notify, t.languages, t.uri
    ), stored as (
      insert into severed_relationships (severance_id, local_account_id, other_account_id, direction, pending, show_reblogs, notify, languages, uri, list_ids, endorsed)
      select ${severance.id}::bigint, g.local_id, g.other_id, g.direction, ${table === 'follow_requests'}::boolean, g.show_reblogs, g.notify, g.languages, g.uri,
        array(select la.list_id from list_accounts la where la.owner_id = g.account_id and la.account_id = g.target_account_id),
        exists (select from endorsements e where e.account_id = g.account_id and e.target_account_id = g.target_account_id)
      from gone g order by g.local_id, g.other_id, g.direction
      on conflict do nothing
    )
    select id, direction, local_id as local_account_id, other_id as other_account_id, domain as other_domain, uri, ${table === 'follow_requests'}::boolean as pending
    from gone`)
}

/** List memberships, endorsements, and the notifications of follows and requests. */
async function deleteDependents(tx: Context, severed: readonly SeveredFollow[]): Promise<void> {
  const follows = (rows: readonly SeveredFollow[]): Sql => {
    const accounts = rows.map(followAccountsOf)
    return sql`
      unnest(${accounts.map((row) => row.account_id)}::bigint[], ${accounts.map((row) => row.target_account_id)}::bigint[]) as f (account_id, target_id)`
  }
  await tx.db.run(sql`
    delete from list_accounts la using ${follows(severed)} where la.owner_id = f.account_id and la.account_id = f.target_id`)
  await tx.db.run(sql`
    delete from endorsements e using ${follows(severed)} where e.account_id = f.account_id and e.target_account_id = f.target_id`)
  await tx.db.run(sql`
    delete from notifications n using ${follows(severed.filter(({ direction }) => direction === 'follower'))}
    where n.account_id = f.target_id and n.from_account_id = f.account_id and n.type in ('follow', 'follow_request')`)
}

/** Links the severed follows to the events that notify their local accounts. */
export async function linkSeveranceEvents(
  tx: Context,
  severanceId: string,
  eventIds: readonly string[],
): Promise<void> {
  await tx.db.run(sql`
    update severed_relationships r set event_id = e.id from relationship_severance_events e
    where r.severance_id = ${severanceId} and r.event_id is null and e.id = any(${eventIds}::bigint[]) and e.account_id = r.local_account_id`)
}

export async function finishSevering(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update severances set severed_at = coalesce(severed_at, now()) where id = ${id}`)
}

/** The severances of a target that can still be undone. */
export const listRestorable = (
  ctx: Context,
  target: { domain: string } | { accountId: string },
): Promise<SeveranceRow[]> =>
  ctx.db.many<SeveranceRow>(sql`
    select ${severanceColumns} from severances v
    where ${'domain' in target ? sql`v.type = 'domain_block' and v.target_name = ${target.domain}` : sql`v.target_account_id = ${target.accountId}`}
      and v.restore_requested_at is null and v.purged_at is null and v.created_at > now() - make_interval(days => ${UNDO_DAYS}::int)
    order by v.id`)

/** The severances of a domain that are not purged, the newest first. */
export const listSeverances = (ctx: Context, domain: string): Promise<SeveranceRow[]> =>
  ctx.db.many<SeveranceRow>(sql`
    select ${severanceColumns} from severances v
    where v.type = 'domain_block' and v.target_name = ${domain} and v.purged_at is null order by v.id desc limit 20`)

/**
 * The follows that an account lost by one event and that were not restored, without requests. Empty for another account's event.
 */
export const listLostFollows = (
  ctx: Context,
  accountId: string,
  eventId: string,
  direction: SeveredFollow['direction'],
): Promise<ExportedFollow[]> =>
  ctx.db.many<ExportedFollow>(sql`
    select a.username, a.domain, r.show_reblogs, r.notify, r.languages
    from severed_relationships r join accounts a on a.id = r.other_account_id
    where r.event_id = ${eventId} and r.local_account_id = ${accountId} and r.direction = ${direction} and not r.pending and r.restored_at is null
    order by r.id`)

/** Clean-up: deletes the follows of severances that can no longer be undone. */
export async function deleteOldSevered(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    with old as (
      update severances set purged_at = now()
      where purged_at is null and created_at < now() - make_interval(days => ${UNDO_DAYS}::int) returning id
    ), purged as (
      update relationship_severance_events e set purged = true from old where e.severance_id = old.id
    )
    delete from severed_relationships r using old where r.severance_id = old.id`)
}
