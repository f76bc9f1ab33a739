import type { Context } from '../../context.ts'
import type { FeaturedTags } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { daysAgo } from '../../lib/dates.ts'
import { invalidField, invalidRequest } from '../../lib/errors.ts'
import { idAt } from '../../lib/ids.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'
import { getOrCreateTags } from './tags.ts'
import { lockAccount } from '../users/locks.ts'

export const MAX_FEATURED_TAGS = 10

/** `isNew` is false when the account featured the hashtag before. Throws Invalid for an invalid name and above the limit. */
export async function insertFeaturedTag(
  tx: Context,
  accountId: string,
  typed: string,
): Promise<{ tagId: string; name: string; isNew: boolean }> {
  const name = withoutSign(typed.trim())
  if (!isTagName(name)) throw invalidField('name', 'invalid')
  const [tagId] = await getOrCreateTags(tx, [name])
  if (tagId === undefined) throw invalidField('name', 'invalid')
  await lockAccount(tx, accountId)
  const { featured, known } = await tx.db.one<{ featured: number; known: boolean }>(sql`
    select count(*)::int as featured, coalesce(bool_or(tag_id = ${tagId}), false) as known from featured_tags where account_id = ${accountId}`)
  if (!known && featured >= MAX_FEATURED_TAGS) throw invalidRequest('tag_feature_limit')
  const added = await tx.db.run(sql`
    insert into featured_tags (account_id, tag_id, name) values (${accountId}, ${tagId}, ${name}) on conflict do nothing`)
  return { tagId, name, isNew: added > 0 }
}

/** `id`: of the row; `tagId`: of the hashtag. Returns the name, or null when it was not featured. */
export async function deleteFeaturedTagRow(
  tx: Context,
  accountId: string,
  which: { id: string } | { tagId: string },
): Promise<string | null> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`tag_id = ${which.tagId}`
  const deleted = await tx.db.maybe<Pick<FeaturedTags, 'name'>>(
    sql`delete from featured_tags where account_id = ${accountId} and ${condition} returning name`,
  )
  return deleted?.name ?? null
}

const RECENT_STATUSES = 1000
const RECENT_DAYS = 365

/** The hashtags that the account's newest statuses have, the most used first. Those that it used long ago do not describe it. */
export async function suggestFeaturedTags(ctx: Context, accountId: string): Promise<string[]> {
  const since = idAt(daysAgo(RECENT_DAYS))
  const rows = await ctx.db.many<{ id: string }>(sql`
    select st.tag_id as id
    from (
      select id from statuses where account_id = ${accountId} and reblog_of_id is null and id > ${since}
      order by id desc limit ${RECENT_STATUSES}
    ) s
    join status_tags st on st.status_id = s.id
    where not exists (select from featured_tags ft where ft.account_id = ${accountId} and ft.tag_id = st.tag_id)
    group by st.tag_id order by count(*) desc, max(s.id) desc limit ${MAX_FEATURED_TAGS}`)
  return rows.map(({ id }) => id)
}

const withoutSign = (name: string): string => name.replace(/^[#＃]/, '')

/** For remote accounts. Ignores hashtags above the limit. */
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

export async function removeFeaturedTag(ctx: Context, accountId: string, typed: string): Promise<void> {
  await ctx.db.run(sql`
    delete from featured_tags ft using tags t where ft.account_id = ${accountId} and t.id = ft.tag_id and t.name = ${normaliseTag(typed)}`)
}

/** For remote accounts. Ignores hashtags above the limit. */
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
