import type { Visibility } from '../../../db/schema.ts'

/** What people choose for posts of their own. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** Whom a policy names. `following`: those whom the author follows. */
export type PolicyGroup = 'public' | 'followers' | 'following' | 'unsupported_policy'

const BITS: Record<PolicyGroup, number> = { unsupported_policy: 1, public: 2, followers: 4, following: 8 }
const AUTOMATIC_SHIFT = 16

/** As `statuses.quote_policy` stores it: who needs nobody's consent, shifted, and who may ask. */
export function packPolicy(automatic: readonly PolicyGroup[], manual: readonly PolicyGroup[] = []): number {
  const bitsOf = (groups: readonly PolicyGroup[]): number => groups.reduce((bits, group) => bits | BITS[group], 0)
  return (bitsOf(automatic) << AUTOMATIC_SHIFT) | bitsOf(manual)
}

/** Bits that only the ties between author and viewer can decide: columns of the statement that reads them ask for these. */
export const NEEDS_FOLLOWER = packPolicy(['followers'], ['followers'])
export const NEEDS_FOLLOWED = packPolicy(['following'], ['following'])

/** The groups of a stored policy, as the API names them. */
export function unpackPolicy(policy: number): { automatic: PolicyGroup[]; manual: PolicyGroup[] } {
  const groupsOf = (bits: number): PolicyGroup[] =>
    (['public', 'followers', 'following', 'unsupported_policy'] as const).filter((group) => (bits & BITS[group]) !== 0)
  return { automatic: groupsOf(policy >> AUTOMATIC_SHIFT), manual: groupsOf(policy & 0xffff) }
}

/** The stored form of what somebody of this server chose. Posts for few are quoted by nobody else. */
export function ownPolicy(chosen: QuotePolicy | undefined, visibility: Visibility): number {
  if (visibility === 'private' || visibility === 'direct') return 0
  const policy = chosen ?? 'public'
  return policy === 'nobody' ? 0 : packPolicy([policy])
}

export type QuoteApproval = 'automatic' | 'manual' | 'denied' | 'unknown'

export type QuoteTies = {
  visibility: Visibility
  isAuthor: boolean
  /** Whether who wants to quote follows the author, and the other way round; null or absent where the policy does not ask. */
  follows?: boolean | null
  followed?: boolean | null
}

/** Whether somebody who may read a post, and whom its author does not block, may quote it. */
export function approvalFor(policy: number, { visibility, isAuthor, follows, followed }: QuoteTies): QuoteApproval {
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
