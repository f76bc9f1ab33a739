// What a server remembers of its past days: sign-ups, activity, and the use of hashtags and links, so that trends and statistics
// show something.
import type { Context } from '../../src/context.ts'
import { sql } from '../../src/db/sql.ts'
import { refreshTrends } from '../../src/domain/trends/refresh.ts'
import type { Citizen } from './types.ts'
import { type Random, TAGS, word } from './random.ts'

const SIGN_UP_DAYS = 150
const LINKS = 8
/** How many hashtags are used more and more. */
const RISING = 8

export async function addHistory(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  await spreadSignUps(ctx, random, people)
  await spreadFavourites(ctx)
  await useTags(ctx, random, people)
  await useLinks(ctx, random, people)
  await refreshTrends(ctx)
}

/** Most sign up lately and come back often; some leave. */
async function spreadSignUps(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  const ages = people.map(() => Math.floor(random.next() ** 2 * SIGN_UP_DAYS))
  const loyalties = people.map(() => random.next())
  const ids = people.map(({ userId }) => userId)
  await ctx.db.run(sql`
    update users set created_at = now() - make_interval(days => moved.age)
    from unnest(${ids}::bigint[], ${ages}::int[]) moved (id, age) where users.id = moved.id`)
  await ctx.db.run(sql`
    insert into user_active_days (day, user_id)
    select (now() at time zone 'utc')::date - ago, person.id
    from unnest(${ids}::bigint[], ${ages}::int[], ${loyalties}::float8[]) person (id, age, loyalty), generate_series(0, person.age) ago
    where (hashint8(person.id + ago) & 255) / 256.0 < person.loyalty
    on conflict do nothing`)
}

/** Half of them stay recent, so that posts trend. */
async function spreadFavourites(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    update favourites set created_at = created_at - make_interval(days => (hashint8(id) & 31)) where id % 2 = 0`)
}

async function useTags(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  const names = TAGS.slice(0, RISING).map((tag) => tag.toLowerCase())
  const [accounts, shares] = [people.map(({ id }) => id), names.map(() => 0.3 + random.next() * 0.7)]
  await ctx.db.run(sql`
    insert into tags (name, display_name, last_status_at) select name, name, now() from unnest(${names}::text[]) name
    on conflict (name) do update set last_status_at = now()`)
  await ctx.db.run(sql`
    insert into tag_uses (day, tag_id, account_id)
    select (now() at time zone 'utc')::date, t.id, account from unnest(${names}::text[], ${shares}::float8[]) used (name, share)
    join tags t on t.name = used.name, unnest(${accounts}::bigint[]) account
    where (hashint8(account # t.id) & 255) / 256.0 < used.share
    on conflict do nothing`)
  await ctx.db.run(sql`
    insert into tag_days (tag_id, day, uses, accounts)
    select t.id, (now() at time zone 'utc')::date - ago, n, n
    from tags t, generate_series(1, 6) ago, lateral (select (hashint8(t.id + ago) & 7) % (8 - ago) as n) counted
    where t.name = any(${names}::text[]) and n > 0
    on conflict do nothing`)
}

async function useLinks(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  const pages = Array.from({ length: LINKS }, (_, i) => {
    const host = `${i % 2 === 0 ? 'news' : 'blog'}.example`
    return { url: `https://${host}/${word(random)}-${i}`, host, title: `All about ${word(random)}` }
  })
  await ctx.db.run(sql`
    insert into preview_cards (link, url, title, description, hosts, provider_name, language, fetched_at)
    select page.url, page.url, page.title, 'What happened, and why.', array[page.host], page.host, 'en', now()
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as page (url text, host text, title text)
    on conflict (link) do nothing`)
  await ctx.db.run(sql`
    insert into link_uses (day, card_id, account_id)
    select (now() at time zone 'utc')::date, c.id, account from preview_cards c, unnest(${people.map(({ id }) => id)}::bigint[]) account
    where c.link = any(${pages.map(({ url }) => url)}::text[]) and (hashint8(account # c.id) & 3) > 0
    on conflict do nothing`)
  await ctx.db.run(sql`
    insert into preview_card_providers (domain) select unnest(${[...new Set(pages.map(({ host }) => host))]}::text[]) on conflict do nothing`)
}
