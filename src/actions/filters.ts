import type { Context } from '../context.ts'
import { changeWithinLimits } from '../domain/filters/rules.ts'

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
