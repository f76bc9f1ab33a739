import type { Context } from '../context.ts'
import { createFilter, listFilters } from '../domain/filters/filters.ts'
import { changeWithinLimits } from '../domain/filters/rules.ts'
import { addFilteredStatuses, isSameFilter, type PortableFilter } from '../domain/portability/filters.ts'

/**
 * Runs `change` on the filters of an account in one transaction and informs the account's clients. Throws what `change`
 * throws, and Invalid when it exceeds a limit.
 */
export const changeFilters = <T>(ctx: Context, accountId: string, change: (tx: Context) => Promise<T>): Promise<T> =>
  ctx.transaction(async (tx) => {
    const result = await changeWithinLimits(tx, accountId, change)
    tx.publish({ type: 'filters.changed', accountId })
    return result
  })

/** Does nothing when the account has the filter. Throws Invalid when a text is too long or a limit is exceeded. */
export const importFilter = (ctx: Context, accountId: string, filter: PortableFilter): Promise<void> =>
  changeFilters(ctx, accountId, async (tx) => {
    if ((await listFilters(tx, [accountId])).some((known) => isSameFilter(known, filter))) return
    const { title, context, action, expires_at: expiresAt, keywords } = filter
    const { id } = await createFilter(tx, accountId, {
      title,
      context,
      filter_action: action,
      expires_in: expiresAt === null ? null : Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000)),
      keywords_attributes: keywords,
    })
    await addFilteredStatuses(tx, accountId, id, filter.statuses)
  })
