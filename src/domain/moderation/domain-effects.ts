// The effects of domain blocks on the accounts of a domain. Each function handles one chunk, and may run twice.
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { fileKeysIn } from '../media/stored-files.ts'
import { parentDomains } from '../peers/domain-policy.ts'
import { UNDO_DAYS } from './severed.ts'

/** Accounts per transaction. */
const CHUNK = 500

/** The rules that hold for each domain: those of its parents included. */
export type DomainEffects = { suspended: string[]; silenced: string[]; mediaRejected: string[]; open: string[] }

/** `open`: not suspended. The other lists may overlap. `withoutAllow`: as if this domain had left the list of allowed ones. */
export async function readEffects(
  ctx: Context,
  domains: readonly string[],
  { withoutAllow = null }: { withoutAllow?: string | null } = {},
): Promise<DomainEffects> {
  const names = [...new Set(domains.flatMap(parentDomains))]
  const blocks = await ctx.db.many<{ domain: string; severity: string; reject_media: boolean }>(
    sql`select domain, severity, reject_media from domain_blocks where domain = any(${names}::text[])`,
  )
  const allows = await ctx.db.many<{ domain: string }>(
    sql`select domain from domain_allows where domain = any(${names}::text[]) and domain is distinct from ${withoutAllow}`,
  )
  const allowed = new Set(allows.map(({ domain }) => domain))
  const effects: DomainEffects = { suspended: [], silenced: [], mediaRejected: [], open: [] }
  for (const domain of domains) {
    const parents = new Set(parentDomains(domain))
    const rules = blocks.filter((block) => parents.has(block.domain))
    const isUnlisted = ctx.config.limitedFederation && ![...parents].some((parent) => allowed.has(parent))
    const isSuspended = isUnlisted || rules.some(({ severity }) => severity === 'suspend')
    effects[isSuspended ? 'suspended' : 'open'].push(domain)
    if (rules.some(({ severity }) => severity === 'silence')) effects.silenced.push(domain)
    if (isSuspended || rules.some((rule) => rule.reject_media)) effects.mediaRejected.push(domain)
  }
  return effects
}

/** Changes the next accounts of the domains that meet a condition. Returns how many. */
const changeChunk = (tx: Context, domains: readonly string[], condition: Sql, assignments: Sql): Promise<number> =>
  tx.db.run(sql`
    with chunk as (
      select id from accounts where domain = any(${domains}::text[]) and ${condition} order by id limit ${CHUNK} for update
    )
    update accounts a set ${assignments} from chunk where a.id = chunk.id`)

/** Their data stays as long as the block can be undone. */
export const suspendChunk = (tx: Context, domains: readonly string[]): Promise<number> =>
  changeChunk(
    tx,
    domains,
    sql`suspended_at is null`,
    sql`suspended_at = now(), suspension_origin = 'domain', purge_at = now() + make_interval(days => ${UNDO_DAYS}::int)`,
  )

/** Leaves accounts that moderators or their own server suspended, and those whose data is gone. */
export const unsuspendChunk = (tx: Context, domains: readonly string[]): Promise<number> =>
  changeChunk(
    tx,
    domains,
    sql`suspension_origin = 'domain' and purged_at is null and (purge_at is null or purge_at > now())`,
    sql`suspended_at = null, suspension_origin = null, purge_at = null`,
  )

export const silenceChunk = (tx: Context, domains: readonly string[]): Promise<number> =>
  changeChunk(tx, domains, sql`silenced_at is null`, sql`silenced_at = now(), silenced_by_domain = true`)

export const unsilenceChunk = (tx: Context, domains: readonly string[]): Promise<number> =>
  changeChunk(tx, domains, sql`silenced_by_domain`, sql`silenced_at = null, silenced_by_domain = false`)

export async function addAffected(tx: Context, domain: string, count: number): Promise<void> {
  await tx.db.run(sql`update domain_blocks set affected_count = affected_count + ${count} where domain = ${domain}`)
}

export async function markApplied(ctx: Context, domain: string): Promise<void> {
  await ctx.db.run(sql`update domain_blocks set applied_at = now() where domain = ${domain}`)
}

/**
 * Drops the cached media, avatars, headers and custom emojis of the next accounts. `after`: the last account that was handled.
 * Returns the keys of files to delete after the commit, or null when no account is left.
 */
export async function uncacheChunk(
  tx: Context,
  domains: readonly string[],
  after: string,
): Promise<{ last: string; fileKeys: string[] } | null> {
  const rows = await tx.db.many<{ id: string }>(sql`
    select id from accounts where domain = any(${domains}::text[]) and id > ${after} order by id limit ${CHUNK}`)
  const last = rows.at(-1)?.id
  if (last === undefined) return null
  const ids = rows.map(({ id }) => id)
  const keys = [
    ...(await uncacheAttachments(tx, ids)),
    ...(await uncacheProfiles(tx, ids)),
    ...(await uncacheEmojis(tx, ids)),
  ]
  return { last, fileKeys: keys.flatMap(({ key }) => key ?? []) }
}

type KeyRow = { key: string | null }

const uncacheAttachments = (tx: Context, ids: readonly string[]): Promise<KeyRow[]> =>
  tx.db.many<KeyRow>(sql`
    with cached as (
      select id, file_key, preview_key from media_attachments
      where account_id = any(${ids}::bigint[]) and remote_url is not null and (file_key is not null or preview_key is not null) for update
    ), emptied as (
      update media_attachments m set file_key = null, preview_key = null, file_size = null from cached where m.id = cached.id
      returning m.status_id
    ), touched as (
      update statuses s set fetched_at = now() from emptied where s.id = emptied.status_id
    )
    select unnest(array[file_key, preview_key]) as key from cached`)

const uncacheProfiles = (tx: Context, ids: readonly string[]): Promise<KeyRow[]> =>
  tx.db.many<KeyRow>(sql`
    with cached as (
      select id, avatar_key, avatar_static_key, header_key, header_static_key from accounts
      where id = any(${ids}::bigint[]) and (avatar_key is not null or header_key is not null) for update
    ), emptied as (
      update accounts a set avatar_key = null, avatar_static_key = null, header_key = null, header_static_key = null
      from cached where a.id = cached.id
    )
    select unnest(${fileKeysIn('accounts')}) as key from cached`)

/** Emojis are stored by the digest of their address, which profiles and posts name. */
const uncacheEmojis = (tx: Context, ids: readonly string[]): Promise<KeyRow[]> =>
  tx.db.many<KeyRow>(sql`
    with named as (
      select distinct sha256(convert_to(e ->> 'url', 'UTF8')) as digest from (
        select jsonb_array_elements(emojis) as e from accounts where id = any(${ids}::bigint[])
        union all
        select jsonb_array_elements(emojis) from statuses where account_id = any(${ids}::bigint[]) and emojis <> '[]'
      ) used where e ->> 'url' is not null
    ), gone as (
      delete from remote_emojis r using named where r.digest = named.digest returning r.image_key, r.static_key
    )
    select unnest(array[image_key, static_key]) as key from gone`)
