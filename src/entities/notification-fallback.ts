import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { Statuses } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { detailOf, excerpt, titleOf } from '../domain/notifications/texts.ts'
import { NOTIFICATION_TYPES, type NotificationType } from '../domain/notifications/types.ts'
import { messageLanguage } from '../domain/server/languages.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { escapeHtml } from '../lib/html.ts'
import { htmlToText } from '../lib/sanitize.ts'
import { readAccountMap } from './account-presenter.ts'
import { nullable } from './schema.ts'

export const NotificationTypeName = Type.Unsafe<NotificationType>(
  Type.Union(NOTIFICATION_TYPES.map((type) => Type.Literal(type))),
)

/** https://docs.joinmastodon.org/entities/NotificationFallback/. All members are HTML. */
export const NotificationFallback = Type.Object(
  { title: Type.String(), summary: nullable(Type.String()), details: nullable(Type.String()) },
  { $id: 'NotificationFallback' },
)
type NotificationFallback = Static<typeof NotificationFallback>

/** In characters. */
const MAX_SUMMARY = 140

/** `locale`: of fallbacks; English by default. */
export type NotificationViewer = NonNullable<MaybeViewer> & { locale?: string }

/** `accountId`: the account that the title names. */
type FallbackRow = { type: NotificationType; accountId: string; statusId: string | null }

/**
 * Describes notifications to clients that do not know their type. The function returns undefined for types in `supported`, and
 * for all when the client named none. Reads nothing unless a row needs a fallback.
 */
export async function readFallbacks(
  ctx: Context,
  { locale = 'en' }: NotificationViewer,
  supported: readonly string[] | undefined,
  rows: readonly FallbackRow[],
): Promise<(row: FallbackRow) => NotificationFallback | undefined> {
  const isUnknown = ({ type }: FallbackRow): boolean => supported !== undefined && !supported.includes(type)
  const unknown = rows.filter(isUnknown)
  if (unknown.length === 0) return () => undefined
  const [accounts, summaries] = await Promise.all([
    readAccountMap(
      ctx,
      unknown.map(({ accountId }) => accountId),
    ),
    readSummaries(
      ctx,
      unknown.flatMap(({ statusId }) => statusId ?? []),
    ),
  ])
  const language = messageLanguage(locale)
  return (row) => {
    const account = accounts.get(row.accountId)
    if (!account || !isUnknown(row)) return undefined
    const detail = detailOf(language, row.type)
    return {
      title: escapeHtml(titleOf(language, row.type, account.display_name || account.username)),
      summary: row.statusId === null ? null : (summaries.get(row.statusId) ?? null),
      details: detail === null ? null : `<p>${escapeHtml(detail)}</p>`,
    }
  }
}

/** Returns HTML. Statuses without text have no entry. */
async function readSummaries(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.many<Pick<Statuses, 'id' | 'spoiler_text' | 'content'>>(
    sql`select id, spoiler_text, content from statuses where id = any(${ids}::bigint[])`,
  )
  return new Map(
    rows.flatMap(({ id, spoiler_text, content }) => {
      const text = excerpt(spoiler_text || htmlToText(content), MAX_SUMMARY)
      return text === '' ? [] : [[id, `<p>${escapeHtml(text)}</p>`] as const]
    }),
  )
}
