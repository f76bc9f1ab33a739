// How often links are posted and boosted, for trends. Each account counts in a row of its own: see `recordTagUses`.
import type { Context } from '../../../context.ts'
import { sql, type Sql } from '../../../db/sql.ts'
import { isShownInPublic } from '../visibility.ts'

/** A condition on a status `s` and its author `a`: its link may trend. */
const linkMayTrend: Sql = sql`(${isShownInPublic} and not s.sensitive and s.spoiler_text = '')`

/** The card that stands for all cards of one page, which differ in the address that posts have. */
const cardOfPage = (card: Sql): Sql => sql`(
  select coalesce(min(same.id), ${card}) from preview_cards of join preview_cards same on same.url = of.url
  where of.id = ${card} and of.url <> '')`

const countedOnce: Sql = sql`on conflict (day, card_id, account_id) do update set uses = link_uses.uses + 1`

/** Call it after the status received its card. */
export async function recordLinkUse(tx: Context, statusId: string): Promise<void> {
  await tx.db.run(sql`
    insert into link_uses (day, card_id, account_id)
    select (s.created_at at time zone 'utc')::date, ${cardOfPage(sql`s.card_id`)}, s.account_id
    from statuses s join accounts a on a.id = s.account_id
    where s.id = ${statusId} and s.card_id is not null and s.created_at > now() - interval '7 days' and ${linkMayTrend}
    ${countedOnce}`)
}

/** Counts the link of the original for the account that boosts it. `boost`: a relation with the new row. */
export const insertRebloggedLink = (boost: Sql): Sql => sql`
  insert into link_uses (day, card_id, account_id)
  select (boosted.created_at at time zone 'utc')::date, ${cardOfPage(sql`s.card_id`)}, boosted.account_id
  from ${boost} boosted join statuses s on s.id = boosted.reblog_of_id join accounts a on a.id = s.account_id
  where s.card_id is not null and boosted.approval is null and boosted.visibility = 'public'
    and boosted.created_at > now() - interval '7 days' and ${linkMayTrend}
  ${countedOnce}`
