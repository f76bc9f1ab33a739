import type { Context } from '../../context.ts'
import { plannedByValue, sql, type Sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'
import { MAX_FEATURED_TAGS } from '../server/limits.ts'
import { getOrCreateTags } from './get-or-create.ts'

/** A hashtag that an account shows on its profile. */
export type FeaturedTagRow = {
  id: string
  /** The owner. */
  username: string
  domain: string | null
  /** As the owner spells it. */
  name: string
  /** The folded name. */
  tag: string
  /** Posts of the account with it that everybody may read. */
  statuses_count: number
  /** The day of the newest of them. */
  last_status_at: string | null
}

/** The hashtags that an account shows, the most used first. */
export const listFeaturedTags = (ctx: Context, accountId: string): Promise<FeaturedTagRow[]> =>
  read(ctx, sql`ft.account_id = ${accountId} and a.suspended_at is null`)

async function read(ctx: Context, which: Sql): Promise<FeaturedTagRow[]> {
  // Whether there are fewer posts of the account or with the hashtag is different from one to the next, and so is the plan.
  return ctx.db.many<FeaturedTagRow>(
    plannedByValue(sql`
    select ft.id, a.username, a.domain, ft.name, t.name as tag, coalesce(used.n, 0) as statuses_count, used.last::text as last_status_at
    from featured_tags ft join tags t on t.id = ft.tag_id join accounts a on a.id = ft.account_id
    left join lateral (
      select count(*)::int as n, (max(s.created_at) at time zone 'utc')::date as last
      from status_tags st join statuses s on s.id = st.status_id
      where st.tag_id = ft.tag_id and s.account_id = ft.account_id and s.visibility in ('public', 'unlisted') and s.approval is null
    ) used on true
    where ${which} order by used.n desc, ft.id`),
  )
}

/**
 * Shows a hashtag on the profile of a person, once; followers elsewhere are told. Throws Invalid for what is no hashtag, and for
 * one too many.
 */
export async function featureTag(ctx: Context, accountId: string, typed: string): Promise<FeaturedTagRow> {
  const name = withoutSign(typed.trim())
  if (!isTagName(name)) throw invalidField('name', 'invalid')
  return ctx.transaction(async (tx) => {
    const [tagId] = await getOrCreateTags(tx, [name])
    if (tagId === undefined) throw invalidField('name', 'invalid')
    // One at a time per person, or two requests at once could both find the last place free.
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const { featured, known } = await tx.db.one<{ featured: number; known: boolean }>(sql`
      select count(*)::int as featured, coalesce(bool_or(tag_id = ${tagId}), false) as known from featured_tags where account_id = ${accountId}`)
    if (!known && featured >= MAX_FEATURED_TAGS) throw invalidRequest('tag_feature_limit')
    const added = await tx.db.run(sql`
      insert into featured_tags (account_id, tag_id, name) values (${accountId}, ${tagId}, ${name}) on conflict do nothing`)
    if (added > 0) await tx.enqueue('federation.distribute', { activity: 'add-featured-tag', accountId, name })
    const [row] = await read(tx, sql`ft.account_id = ${accountId} and ft.tag_id = ${tagId}`)
    if (!row) throw new NotFound()
    return row
  })
}

/** Shows a hashtag no longer: by the id of its being shown, or by its own. Gives whether it was shown. */
export async function unfeatureTag(
  ctx: Context,
  accountId: string,
  which: { id: string } | { tagId: string },
): Promise<boolean> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`tag_id = ${which.tagId}`
  return ctx.transaction(async (tx) => {
    const gone = await tx.db.maybe<{ name: string }>(
      sql`delete from featured_tags where account_id = ${accountId} and ${condition} returning name`,
    )
    if (gone) await tx.enqueue('federation.distribute', { activity: 'remove-featured-tag', accountId, name: gone.name })
    return gone !== null
  })
}

/** How many of the newest posts are looked at for what somebody uses. */
const LATELY = 1000

/** The ids of the hashtags that a person used most lately and does not show. */
export async function suggestFeaturedTags(ctx: Context, accountId: string): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select st.tag_id as id
    from (select id from statuses where account_id = ${accountId} and reblog_of_id is null order by id desc limit ${LATELY}) s
    join status_tags st on st.status_id = s.id
    where not exists (select from featured_tags ft where ft.account_id = ${accountId} and ft.tag_id = st.tag_id)
    group by st.tag_id order by count(*) desc, max(s.id) desc limit ${MAX_FEATURED_TAGS}`)
  return rows.map(({ id }) => id)
}

const withoutSign = (name: string): string => name.replace(/^[#＃]/, '')

/** An account of another server shows one more; more than it may here are not kept. */
export async function addFeaturedTag(ctx: Context, accountId: string, typed: string): Promise<void> {
  const name = withoutSign(typed)
  await ctx.transaction(async (tx) => {
    const [tagId] = await getOrCreateTags(tx, [name])
    await tx.db.run(sql`
      insert into featured_tags (account_id, tag_id, name) select ${accountId}, id, ${name} from tags where id = ${tagId ?? null}::bigint
        and (select count(*) from featured_tags where account_id = ${accountId}) < ${MAX_FEATURED_TAGS}
      on conflict do nothing`)
  })
}

/** An account of another server shows one no longer. */
export async function removeFeaturedTag(ctx: Context, accountId: string, typed: string): Promise<void> {
  await ctx.db.run(sql`
    delete from featured_tags ft using tags t where ft.account_id = ${accountId} and t.id = ft.tag_id and t.name = ${normaliseTag(typed)}`)
}

/** Makes these the hashtags that an account of another server shows, and no others. */
export async function replaceFeaturedTags(ctx: Context, accountId: string, names: readonly string[]): Promise<void> {
  const wanted = names.map(withoutSign).filter(isTagName).slice(0, MAX_FEATURED_TAGS)
  await ctx.transaction(async (tx) => {
    const ids = await getOrCreateTags(tx, wanted)
    await tx.db.run(sql`delete from featured_tags where account_id = ${accountId} and tag_id <> all(${ids}::bigint[])`)
    await tx.db.run(sql`
      insert into featured_tags (account_id, tag_id, name) select ${accountId}, t.id, t.display_name from tags t where t.id = any(${ids}::bigint[])
      on conflict do nothing`)
  })
}
