import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../../lib/errors.ts'
import { actOnAccount } from './act-on-account.ts'
import { approveSignUp, rejectSignUp } from './review-sign-up.ts'

export const BATCH_ACTS = ['approve', 'reject', 'silence', 'suspend'] as const
export type BatchAct = (typeof BATCH_ACTS)[number]

const REFUSALS = [Conflict, Forbidden, Invalid, NotFound]

/**
 * One transaction for each account, so that a refusal does not undo the other acts. Returns how many were refused: accounts that
 * are gone, of a higher rank, or not in the state that the act needs.
 */
export async function actOnAccounts(
  ctx: Context,
  staffId: StaffId,
  { act, ids, text = '' }: { act: BatchAct; ids: readonly string[]; text?: string },
): Promise<number> {
  let refused = 0
  for (const accountId of ids) {
    try {
      if (act === 'approve') await approveSignUp(ctx, staffId, accountId)
      else if (act === 'reject') await rejectSignUp(ctx, staffId, accountId)
      else await actOnAccount(ctx, staffId, { accountId, type: act, text, once: true })
    } catch (error) {
      if (!REFUSALS.some((refusal) => error instanceof refusal)) throw error
      refused++
    }
  }
  return refused
}
