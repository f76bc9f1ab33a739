import type { Visibility } from '../../../db/schema.ts'

/** The policies that a local author can choose. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** `following`: the accounts that the author follows. */
export type PolicyGroup = 'public' | 'followers' | 'following' | 'unsupported_policy'

const BITS: Record<PolicyGroup, number> = { unsupported_policy: 1, public: 2, followers: 4, following: 8 }
const AUTOMATIC_SHIFT = 16

/** The form of `statuses.quote_policy`: groups that may quote at once, shifted, and groups that need approval. */
export function packPolicy(automatic: readonly PolicyGroup[], manual: readonly PolicyGroup[] = []): number {
  const bitsOf = (groups: readonly PolicyGroup[]): number => groups.reduce((bits, group) => bits | BITS[group], 0)
  return (bitsOf(automatic) << AUTOMATIC_SHIFT) | bitsOf(manual)
}

export function unpackPolicy(policy: number): { automatic: PolicyGroup[]; manual: PolicyGroup[] } {
  const groupsOf = (bits: number): PolicyGroup[] =>
    (['public', 'followers', 'following', 'unsupported_policy'] as const).filter((group) => (bits & BITS[group]) !== 0)
  return { automatic: groupsOf(policy >> AUTOMATIC_SHIFT), manual: groupsOf(policy & 0xffff) }
}

/** Others cannot quote private and direct statuses. */
export function ownPolicy(chosen: QuotePolicy | undefined, visibility: Visibility): number {
  if (visibility === 'private' || visibility === 'direct') return 0
  const policy = chosen ?? 'public'
  return policy === 'nobody' ? 0 : packPolicy([policy])
}

export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked'

export type QuoteApproval = 'automatic' | 'manual' | 'denied' | 'unknown'

export type QuoteRelationship = {
  visibility: Visibility
  isAuthor: boolean
  /** Null or absent when the policy does not depend on follows. */
  follows?: boolean | null
  followed?: boolean | null
}

/** The account must be able to see the status, and the author must not block the account. */
export function approvalFor(
  policy: number,
  { visibility, isAuthor, follows, followed }: QuoteRelationship,
): QuoteApproval {
  if (visibility === 'direct') return 'denied'
  if (isAuthor) return 'automatic'
  if (visibility === 'private') return 'denied'
  const applies = (groups: readonly PolicyGroup[]): boolean =>
    groups.includes('public') ||
    (groups.includes('followers') && follows === true) ||
    (groups.includes('following') && followed === true)
  const { automatic, manual } = unpackPolicy(policy)
  if (applies(automatic)) return 'automatic'
  if (applies(manual)) return 'manual'
  return [...automatic, ...manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}
