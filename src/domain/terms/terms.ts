// The terms of service: published versions, each with the day from which it applies, and at most one draft.
import type { Context } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import type { TermsOfService } from '../../db/schema.ts'
import { sql, today } from '../../db/sql.ts'
import { memoized } from '../server/settings.ts'
import { isDay } from '../../lib/dates.ts'
import { invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'
import { countFunctionalUsers, isFunctional } from '../users/states.ts'

/** `effective_date`: YYYY-MM-DD. `effective`: that day has come. `succeeded_by`: the day of the next version. */
export type Terms = Pick<
  TermsOfService,
  'id' | 'text' | 'changelog' | 'published_at' | 'mailing_started_at' | 'mails_total' | 'mails_sent' | 'updated_at'
> & { effective_date: string; effective: boolean; succeeded_by: string | null }

const MAX_TEXT = 60_000
const MAX_CHANGELOG = 5000

const columns = sql`t.id, t.text, t.changelog, t.published_at, t.mailing_started_at, t.mails_total, t.mails_sent, t.updated_at,
  coalesce(to_char(t.effective_date, 'YYYY-MM-DD'), '') as effective_date,
  t.published_at is not null and t.effective_date <= ${today} as effective,
  (select to_char(min(n.effective_date), 'YYYY-MM-DD') from terms_of_service n
    where n.published_at is not null and n.effective_date > t.effective_date) as succeeded_by`

/** The version that applies today or, before the first one does, that one. Null without terms. */
export const findCurrentTerms = (ctx: Context): Promise<Terms | null> =>
  ctx.db.maybe<Terms>(sql`
    select ${columns} from terms_of_service t where t.published_at is not null
    order by (t.effective_date <= ${today}) desc,
      case when t.effective_date <= ${today} then t.effective_date end desc, t.effective_date limit 1`)

/** Null unless a version begins on that day. */
export async function findTermsOf(ctx: Context, date: string): Promise<Terms | null> {
  if (!isDay(date)) return null
  return ctx.db.maybe<Terms>(
    sql`select ${columns} from terms_of_service t where t.published_at is not null and t.effective_date = ${date}::date`,
  )
}

/** Published versions, the newest first. */
export const listTerms = (ctx: Context): Promise<Terms[]> =>
  ctx.db.many<Terms>(sql`
    select ${columns} from terms_of_service t where t.published_at is not null order by t.effective_date desc limit 200`)

export const findDraft = (ctx: Context): Promise<Terms | null> =>
  ctx.db.maybe<Terms>(sql`select ${columns} from terms_of_service t where t.published_at is null`)

/** Throws NotFound. */
export async function getTerms(ctx: Context, id: string): Promise<Terms> {
  const row = await ctx.db.maybe<Terms>(sql`select ${columns} from terms_of_service t where t.id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

/** Whether there are published terms, for links to them. Cached until settings change. */
export const hasTerms = memoized(60, async (ctx: Context): Promise<boolean> => {
  return (await ctx.db.maybe(sql`select from terms_of_service where published_at is not null limit 1`)) !== null
})

/** `effectiveDate`: empty while undecided. */
export type TermsValues = { text: string; changelog: string; effectiveDate: string }

/** Returns its id. Throws Invalid. */
export async function saveDraft(tx: Context, values: TermsValues): Promise<string> {
  const { text, changelog, effectiveDate } = values
  if (text.trim() === '') throw invalidFieldWithDetails('text', 'blank')
  if ([...text].length > MAX_TEXT) throw invalidFieldWithDetails('text', 'too_long', { count: MAX_TEXT })
  if ([...changelog].length > MAX_CHANGELOG)
    throw invalidFieldWithDetails('changelog', 'too_long', { count: MAX_CHANGELOG })
  if (effectiveDate !== '' && !isDay(effectiveDate)) throw invalidFieldWithDetails('effective_date', 'invalid')
  const draft = await tx.db.one<Pick<TermsOfService, 'id'>>(sql`
    insert into terms_of_service (text, changelog, effective_date)
    values (${text.trim()}, ${changelog.trim()}, ${effectiveDate || null}::date)
    on conflict ((true)) where published_at is null
    do update set text = excluded.text, changelog = excluded.changelog, effective_date = excluded.effective_date, updated_at = now()
    returning id`)
  return draft.id
}

/** Publishes the draft. Throws NotFound without one, Invalid unless its day is today or later and no version has it. */
export async function publishDraft(tx: Context): Promise<{ id: string; effective_date: string }> {
  const draft = await tx.db.maybe<{ id: string; effective_date: string | null; past: boolean }>(sql`
    select id, to_char(effective_date, 'YYYY-MM-DD') as effective_date, effective_date < ${today} as past
    from terms_of_service where published_at is null for update`)
  if (!draft) throw new NotFound()
  if (draft.effective_date === null) throw invalidFieldWithDetails('effective_date', 'blank')
  if (draft.past) throw invalidFieldWithDetails('effective_date', 'terms_date_past')
  await refuseDuplicate('effective_date', () =>
    tx.db.run(sql`update terms_of_service set published_at = now() where id = ${draft.id}`),
  )
  return { id: draft.id, effective_date: draft.effective_date }
}

export const deleteDraft = (tx: Context): Promise<number> =>
  tx.db.run(sql`delete from terms_of_service where published_at is null`)

/** False when the mails were started before, or the version is not published. */
export async function startMailing(tx: Context, id: string): Promise<boolean> {
  const total = await countFunctionalUsers(tx)
  const started = await tx.db.run(sql`
    update terms_of_service set mailing_started_at = now(), mails_total = ${total}
    where id = ${id} and mailing_started_at is null and published_at is not null`)
  return started > 0
}

export type TermsRecipient = { id: string; email: string; locale: string; username: string }

/** The next users without a mail, who count as mailed from now on. Needs a transaction, in which the mails are enqueued. */
export async function takeTermsRecipients(tx: Context, id: string, limit: number): Promise<TermsRecipient[]> {
  const terms = await tx.db.maybe<Pick<TermsOfService, 'mailed_up_to' | 'mailing_started_at'>>(
    sql`select mailed_up_to, mailing_started_at from terms_of_service where id = ${id} for update`,
  )
  if (!terms?.mailing_started_at) return []
  const users = await tx.db.many<TermsRecipient>(sql`
    select u.id, u.email, u.locale, a.username from users u join accounts a on a.id = u.account_id
    where u.id > ${terms.mailed_up_to} and u.created_at <= ${terms.mailing_started_at} and ${isFunctional}
    order by u.id limit ${limit}`)
  const last = users.at(-1)
  if (last)
    await tx.db.run(sql`
      update terms_of_service set mailed_up_to = ${last.id}, mails_sent = mails_sent + ${users.length} where id = ${id}`)
  return users
}
