import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { createFilter, getFilter, type FilterRow } from './filters.ts'
import { getKeyword, type KeywordRow } from './keywords.ts'
import {
  checkContext,
  checkKeyword,
  checkTitle,
  expiryOf,
  type FilterAction,
  type FilterContext,
  MAX_TITLE,
} from './rules.ts'

/** A filter in the first version of the API: one keyword with its filter, under the id of the keyword. */
export type KeywordFilter = { keyword: KeywordRow; filter: FilterRow }

export type KeywordFilterChange = {
  phrase?: string
  context?: readonly FilterContext[]
  irreversible?: boolean
  whole_word?: boolean
  expires_in?: number | null
}

/** Throws NotFound. */
export async function getKeywordFilter(ctx: Context, accountId: string, id: string): Promise<KeywordFilter> {
  const { filter_id } = await getKeyword(ctx, accountId, id)
  const filter = await getFilter(ctx, accountId, filter_id)
  const keyword = filter.keywords.find((one) => one.id === id)
  if (!keyword) throw new NotFound()
  return { keyword, filter }
}

/** The keyword is also the title of the filter. Throws Invalid. */
export async function createKeywordFilter(
  tx: Context,
  accountId: string,
  added: KeywordFilterChange,
): Promise<KeywordFilter> {
  const phrase = checkKeyword(added.phrase, 'phrase')
  const filter = await createFilter(tx, accountId, {
    title: titleFor(phrase),
    context: added.context ?? [],
    filter_action: added.irreversible ? 'hide' : 'warn',
    irreversible: added.irreversible ?? false,
    expires_in: added.expires_in ?? null,
    keywords_attributes: [{ keyword: phrase, whole_word: added.whole_word ?? true }],
  })
  return { keyword: filter.keywords[0] as KeywordRow, filter }
}

/** Throws NotFound, and Invalid where the change would also affect other keywords of the filter. */
export async function updateKeywordFilter(
  tx: Context,
  accountId: string,
  id: string,
  change: KeywordFilterChange,
): Promise<KeywordFilter> {
  const phrase = change.phrase === undefined ? null : checkKeyword(change.phrase, 'phrase')
  const { keyword, filter } = await getKeywordFilter(tx, accountId, id)
  const after = {
    context: change.context === undefined ? filter.context : checkContext(change.context),
    action: actionAfter(filter.action, change.irreversible),
    expires_at: change.expires_in === undefined ? filter.expires_at : expiryOf(change.expires_in),
  }
  const isAlone = filter.keywords.length === 1
  if (!isAlone && concernsOthers(filter, after)) throw new Invalid(message('filter_shared'))
  await tx.db.run(sql`
    update filter_keywords set keyword = ${phrase ?? keyword.keyword}, whole_word = ${change.whole_word ?? keyword.whole_word} where id = ${id}`)
  await tx.db.run(sql`
    update filters set title = ${isAlone && phrase !== null ? titleFor(phrase) : filter.title}, context = ${after.context}, action = ${after.action},
      irreversible = ${after.action === 'hide' && (change.irreversible ?? filter.irreversible)}, expires_at = ${after.expires_at}
    where id = ${filter.id}`)
  return getKeywordFilter(tx, accountId, id)
}

/** Removes the filter too when it has nothing else. Throws NotFound. */
export async function deleteKeywordFilter(tx: Context, accountId: string, id: string): Promise<void> {
  const { filter } = await getKeywordFilter(tx, accountId, id)
  const isLast = filter.keywords.length === 1 && filter.statuses.length === 0
  await tx.db.run(
    isLast ? sql`delete from filters where id = ${filter.id}` : sql`delete from filter_keywords where id = ${id}`,
  )
}

/** The first version of the API knows only hide and warn: actions other than hide stay as they are. */
function actionAfter(action: FilterAction, irreversible: boolean | undefined): FilterAction {
  if (irreversible === undefined) return action
  if (irreversible) return 'hide'
  return action === 'hide' ? 'warn' : action
}

function concernsOthers(filter: FilterRow, after: Pick<FilterRow, 'context' | 'action' | 'expires_at'>): boolean {
  return (
    after.action !== filter.action ||
    after.context.toSorted().join() !== filter.context.toSorted().join() ||
    after.expires_at?.getTime() !== filter.expires_at?.getTime()
  )
}

/** A title may be shorter than a keyword. */
const titleFor = (phrase: string): string => checkTitle([...phrase].slice(0, MAX_TITLE).join(''))
