// The descriptions that other servers give of themselves: https://nodeinfo.diaspora.software
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { FetchError } from '../../net/fetch-error.ts'

/** Servers asked by one clean-up. */
const BATCH = 50
const MAX_BYTES = 64 * 1024
const MAX_USERS = 2_000_000_000

type NodeInfo = { software: string; version: string | null; users: number | null }

/** Servers that were not asked for a week, apart from those that fail. */
export const listOutdatedNodeInfo = (ctx: Context): Promise<{ domain: string }[]> =>
  ctx.db.many<{ domain: string }>(sql`
    select domain from peers
    where (node_info_at is null or node_info_at < now() - interval '7 days') and retry_at is null and stopped_at is null
    order by node_info_at nulls first limit ${BATCH}`)

/** Job `federation.node-info`. Servers that do not answer are asked again after a week. */
export async function refreshNodeInfo(ctx: Context, { domain }: { domain: string }): Promise<void> {
  const info = await readNodeInfo(ctx, domain).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, host: domain }, 'node-info.unreachable')
    return null
  })
  await ctx.db.run(sql`
    update peers set node_info_at = now(), software = coalesce(${info?.software ?? null}, software),
      software_version = case when ${info !== null} then ${info?.version ?? null} else software_version end,
      users_count = case when ${info !== null} then ${info?.users ?? null}::int else users_count end
    where domain = ${domain}`)
}

async function readNodeInfo(ctx: Context, domain: string): Promise<NodeInfo | null> {
  const options = { expect: 'json', extra: true, maxBytes: MAX_BYTES } as const
  const links = await ctx.fetch.json(`https://${domain}/.well-known/nodeinfo`, options).catch((error: unknown) => {
    if (!ctx.fetch.knowsHttp) throw error
    return ctx.fetch.json(`http://${domain}/.well-known/nodeinfo`, options)
  })
  const href = addressIn(links.json)
  return href === null ? null : parseNodeInfo((await ctx.fetch.json(href, options)).json)
}

const SCHEMA = /^http:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/[12]\.\d$/

/** The address of the document in the newest version. */
function addressIn(json: unknown): string | null {
  const { links } = (json ?? {}) as { links?: unknown }
  if (!Array.isArray(links)) return null
  const found = links
    .slice(0, 20)
    .flatMap((link: unknown) => {
      const { rel, href } = (link ?? {}) as { rel?: unknown; href?: unknown }
      return typeof rel === 'string' && SCHEMA.test(rel) && typeof href === 'string' ? [{ rel, href }] : []
    })
    .toSorted((a, b) => b.rel.localeCompare(a.rel))
  return found[0]?.href ?? null
}

function parseNodeInfo(json: unknown): NodeInfo | null {
  const { software, usage } = (json ?? {}) as {
    software?: Record<string, unknown>
    usage?: { users?: { total?: unknown } }
  }
  const name = software?.['name']
  if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name)) return null
  const version = software?.['version']
  const users = usage?.users?.total
  return {
    software: name.toLowerCase(),
    version: typeof version === 'string' ? version.replaceAll('\0', '').slice(0, 60) : null,
    users: typeof users === 'number' && Number.isInteger(users) && users >= 0 ? Math.min(users, MAX_USERS) : null,
  }
}
