import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Further ones of a server are removed, the oldest first. */
const MAX_PER_DOMAIN = 3000

/**
 * Lists the emojis of a remote status or account, for administrators who want to copy them. Known ones, which are most, take no
 * lock. In the order of their names, so that two transactions cannot wait for each other.
 */
export async function recordRemoteEmojis(
  tx: Context,
  domain: string | null,
  emojis: readonly { shortcode: string; url: string }[],
): Promise<void> {
  if (domain === null || emojis.length === 0) return
  await tx.db.run(sql`
    insert into custom_emojis (shortcode, domain, remote_url)
    select distinct on (n.shortcode) n.shortcode, ${domain}, n.url
    from unnest(${emojis.map(({ shortcode }) => shortcode)}::text[], ${emojis.map(({ url }) => url)}::text[]) as n (shortcode, url)
    where not exists (select from custom_emojis e where e.shortcode = n.shortcode and e.domain = ${domain} and e.remote_url = n.url)
    order by n.shortcode
    on conflict (shortcode, coalesce(domain, '')) do update set remote_url = excluded.remote_url, updated_at = now()`)
}

export const deleteEmojisOf = (ctx: Context, domain: string): Promise<number> =>
  ctx.db.run(sql`delete from custom_emojis where domain = ${domain}`)

/** Clean-up task. */
export const trimRemoteEmojis = (ctx: Context): Promise<number> =>
  ctx.db.run(sql`
    delete from custom_emojis where id in (
      select id from (
        select id, row_number() over (partition by domain order by updated_at desc, id desc) as n
        from custom_emojis where domain is not null
      ) numbered where n > ${MAX_PER_DOMAIN})`)
