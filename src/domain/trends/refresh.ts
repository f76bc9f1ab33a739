// The scores of trends. A hashtag or link trends when more accounts use it today than its previous days predict. The
// highest score is its peak, which decays by half within some hours. Posts decay from the time at which they were written.
import type { Context } from '../../context.ts'
import { name, sql, type Sql, today } from '../../db/sql.ts'
import { idAt } from '../../lib/ids.ts'
import { isShownInPublic } from '../statuses/visibility.ts'

type CountedTrend = {
  trends: Sql
  uses: Sql
  days: Sql
  id: Sql
  /** The table that `id` refers to. */
  items: Sql
  /** Selects the ids (`id`) of the items that were used since the last refresh. Further ids do no harm. */
  recentlyUsed: Sql
  /** The language of most of the latest posts with `used.id`. */
  language: Sql
  halfLifeHours: number
}

/** The accounts that must use a hashtag or link within a day for it to trend, and the reactions that a post needs. */
const MIN_USE = 5
/** Below it, a trend ends. */
const MIN_SCORE = 1
const MIN_STATUS_SCORE = 0.3
/** How long a peak is remembered: the same use does not make something trend again. */
const PEAK_MEMORY = '2 days'
const STATUS_HALF_LIFE_HOURS = 4
/** How many posts tell the language of a hashtag or link. */
const LANGUAGE_SAMPLE = 50
/** Days from whose use that of today is predicted. */
const EXPECTED_DAYS = 7
const HISTORY_DAYS = 30
/** Posts with reactions during the last hour get new scores. */
const RECENT_MS = 3_600_000

const TAG_TRENDS: CountedTrend = {
  trends: name('tag_trends'),
  uses: name('tag_uses'),
  days: name('tag_days'),
  id: name('tag_id'),
  items: name('tags'),
  // The time of last use is recorded to the hour.
  recentlyUsed: sql`select id from tags where last_status_at > now() - interval '75 minutes'`,
  language: sql`select mode() within group (order by latest.language) from (
    select s.language from status_tags st join statuses s on s.id = st.status_id
    where st.tag_id = used.id and s.visibility = 'public' order by st.status_id desc limit ${LANGUAGE_SAMPLE}::int) latest`,
  halfLifeHours: 4,
}

const LINK_TRENDS: CountedTrend = {
  trends: name('link_trends'),
  uses: name('link_uses'),
  days: name('link_days'),
  id: name('card_id'),
  items: name('preview_cards'),
  recentlyUsed: sql`select distinct card_id as id from link_uses where day >= ${today}`,
  language: sql`select coalesce((select language from preview_cards where id = used.id), mode() within group (order by latest.language)) from (
    select s.language from statuses s where s.card_id = used.id and s.visibility = 'public' order by s.id desc limit ${LANGUAGE_SAMPLE}::int) latest`,
  halfLifeHours: 8,
}

/** Job `trends.refresh`: also while the setting is off, so that there are trends once it is on. */
export async function refreshTrends(ctx: Context): Promise<void> {
  for (const kind of [TAG_TRENDS, LINK_TRENDS]) {
    await discountLimited(ctx, kind)
    await closeDays(ctx, kind)
    await refreshCounted(ctx, kind)
  }
  await refreshStatuses(ctx)
}

/** Sums up the accounts' rows of past days. Readers add both tables, so that a count is right at any time. */
async function closeDays(ctx: Context, { uses, days, id, items }: CountedTrend): Promise<void> {
  await ctx.db.run(sql`
    with closed as (
      delete from ${uses} where day < ${today} returning day, ${id} as id, uses
    )
    insert into ${days} (${id}, day, uses, accounts)
    select closed.id, day, sum(uses), count(*) from closed join ${items} item on item.id = closed.id
    group by closed.id, day order by closed.id, day
    on conflict (${id}, day) do update set uses = ${days}.uses + excluded.uses, accounts = ${days}.accounts + excluded.accounts`)
}

/**
 * Deletes the uses of accounts that were limited or suspended since, such as spammers, and lowers the peaks of today that they
 * made. Those of earlier days have decayed.
 */
async function discountLimited(ctx: Context, kind: CountedTrend): Promise<void> {
  const { trends, uses, id } = kind
  await ctx.transaction(async (tx) => {
    const lost = await tx.db.many<{ id: string }>(sql`
      with lost as (
        delete from ${uses} u using accounts a
        where u.day >= ${today} - 1 and a.id = u.account_id and (a.suspended_at is not null or a.silenced_at is not null)
        returning u.${id} as id
      )
      select distinct id from lost`)
    if (lost.length === 0) return
    const ids = lost.map((row) => row.id)
    await tx.db.run(sql`
      with ${scoredToday(kind, sql`select unnest(${ids}::bigint[]) as id`)}
      update ${trends} t set peak = least(t.peak, coalesce((select peak from scored where scored.id = t.${id}), 0))
      where t.${id} = any(${ids}::bigint[]) and (t.peak_at at time zone 'utc')::date = ${today}`)
  })
}

/**
 * Members of a `with` list: `scored` has the peak by today's use of those items (`id`) that enough accounts use, and that more
 * use than expected.
 */
const scoredToday = ({ uses, days, id }: CountedTrend, items: Sql): Sql => sql`used as (
        select id, (select count(*)::float8 from ${uses} u where u.day = ${today} and u.${id} = item.id) as observed
        from (${items}) item
      ), scored as (
        select used.id, (observed - expected) ^ 2 / expected as peak from used cross join lateral (
          select greatest(1, coalesce(max(accounts) filter (where day = ${today} - 1), 0)::float8,
            coalesce(sum(accounts), 0)::float8 / ${EXPECTED_DAYS}::int) as expected
          from ${days} d where d.${id} = used.id and d.day >= ${today} - ${EXPECTED_DAYS}::int and d.day < ${today}
        ) past
        where observed >= ${MIN_USE}::int and observed > expected
      )`

/** Reads only what was used lately, and what trends. */
async function refreshCounted(ctx: Context, kind: CountedTrend): Promise<void> {
  const { trends, id, recentlyUsed, language, halfLifeHours } = kind
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      with ${scoredToday(kind, recentlyUsed)}, higher as (
        select scored.id, scored.peak from scored left join ${trends} known on known.${id} = scored.id
        where known.${id} is null or known.peak_at < now() - ${PEAK_MEMORY}::interval or scored.peak > known.peak
      )
      insert into ${trends} (${id}, peak, peak_at, score, language)
      select used.id, used.peak, now(), 0, (${language}) from higher used order by used.id
      on conflict (${id}) do update set peak = excluded.peak, peak_at = excluded.peak_at, language = excluded.language
      where excluded.peak > ${trends}.peak or ${trends}.peak_at < now() - ${PEAK_MEMORY}::interval`)
    await tx.db.run(sql`delete from ${trends} where peak_at < now() - ${PEAK_MEMORY}::interval`)
    await tx.db.run(sql`
      with decayed as (
        select ${id} as id, peak * 0.5 ^ (extract(epoch from now() - peak_at)::float8 / 3600 / ${halfLifeHours}::int) as score from ${trends}
      ), ranked as (
        select id, score, row_number() over (order by score desc, id) as rank from decayed
      )
      update ${trends} t set score = ranked.score, rank = case when ranked.score >= ${MIN_SCORE}::int then ranked.rank end
      from ranked where ranked.id = t.${id}`)
  })
}

/**
 * A condition on a status `s` and its author `a`: everyone may see the post without a click, and the author wants to be found.
 */
const isOpen: Sql = sql`${isShownInPublic} and not s.sensitive and s.spoiler_text = '' and a.discoverable and a.sensitized_at is null`

/** A condition on a status `s`: a quoted post trends along with it, so the same holds for that one and its author. */
const quotesOpenStatus: Sql = sql`not exists (
  select from quotes q where q.status_id = s.id and not (q.state = 'accepted' and exists (
    select from statuses s join accounts a on a.id = s.account_id where s.id = q.quoted_status_id and ${isOpen})))`

const mayTrend: Sql = sql`(${isOpen} and s.reblog_of_id is null and not s.reply and ${quotesOpenStatus})`

async function refreshStatuses(ctx: Context): Promise<void> {
  const since = new Date(Date.now() - RECENT_MS)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      with used as (
        select status_id as id from favourites where created_at > ${since}
        union select reblog_of_id from statuses where id > ${idAt(since)} and reblog_of_id is not null
        union select status_id from status_trends
      ), scored as (
        select s.id, s.language, (st.reblogs_count + st.favourites_count - 1)::float8 ^ 2
          * 0.5 ^ (extract(epoch from now() - s.created_at)::float8 / 3600 / ${STATUS_HALF_LIFE_HOURS}::int) as score
        from used join statuses s on s.id = used.id join accounts a on a.id = s.account_id join status_stats st on st.status_id = s.id
        where st.reblogs_count + st.favourites_count >= ${MIN_USE}::int and ${mayTrend}
      ), ended as (
        delete from status_trends t where not exists (select from scored where scored.id = t.status_id and score >= ${MIN_STATUS_SCORE}::float8)
      )
      insert into status_trends (status_id, score, rank, language)
      select id, score, row_number() over (order by score desc, id), language from scored where score >= ${MIN_STATUS_SCORE}::float8 order by id
      on conflict (status_id) do update set score = excluded.score, rank = excluded.rank, language = excluded.language`)
  })
}

/** Clean-up task. */
export async function deleteOldUses(ctx: Context): Promise<void> {
  for (const { days } of [TAG_TRENDS, LINK_TRENDS])
    await ctx.db.run(sql`delete from ${days} where day < ${today} - ${HISTORY_DAYS}::int`)
}
