import type { Quotes, Visibility } from '../../../db/schema.ts'
import { type Approval, approvalUnder, packPolicy, type PolicyRelationship } from '../../../lib/approval-policy.ts'

/** The policies that a local author can choose. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** Others cannot quote private and direct statuses. */
export function ownPolicy(chosen: QuotePolicy | undefined, visibility: Visibility): number {
  if (visibility === 'private' || visibility === 'direct') return 0
  const policy = chosen ?? 'public'
  return policy === 'nobody' ? 0 : packPolicy([policy])
}

export type QuoteState = Quotes['state']

export type QuoteRelationship = PolicyRelationship & { visibility: Visibility; isAuthor: boolean }

/** The account must be able to see the status, and the author must not block the account. */
export function approvalFor(policy: number, { visibility, isAuthor, ...follows }: QuoteRelationship): Approval {
  if (visibility === 'direct') return 'denied'
  if (isAuthor) return 'automatic'
  if (visibility === 'private') return 'denied'
  return approvalUnder(policy, follows)
}
