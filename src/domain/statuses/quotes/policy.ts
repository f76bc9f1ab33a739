import type { Visibility } from '../../../db/schema.ts'

/** What an author can choose for own statuses. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** The accounts that a policy names. `following`: those that the author follows. */
export type PolicyGroup = 'public' | 'followers' | 'following' | 'unsupported_policy'

const BITS: Record<PolicyGroup, number> = { unsupported_policy: 1, public: 2, followers: 4, following: 8 }
const AUTOMATIC_SHIFT = 16

/** The stored form, `statuses.quote_policy`: groups that may quote at once, shifted, and groups that need approval. */
export function packPolicy(automatic: readonly PolicyGroup[], manual: readonly PolicyGroup[] = []): number {
  const bitsOf = (groups: readonly PolicyGroup[]): number => groups.reduce((bits, group) => bits | BITS[group], 0)
  return (bitsOf(automatic) << AUTOMATIC_SHIFT) | bitsOf(manual)
}

/** Policies with these bits depend on the relationship of author and viewer, which statements read only then. */
export const NEEDS_FOLLOWER = packPolicy(['followers'], ['followers'])
export const NEEDS_FOLLOWED = packPolicy(['following'], ['following'])

/** The groups of a stored policy, as the API names them. */
export function unpackPolicy(policy: number): { automatic: PolicyGroup[]; manual: PolicyGroup[] } {
  const groupsOf = (bits: number): PolicyGroup[] =>
    (['public', 'followers', 'following', 'unsupported_policy'] as const).filter((group) => (bits & BITS[group]) !== 0)
  return { automatic: groupsOf(policy >> AUTOMATIC_SHIFT), manual: groupsOf(policy & 0xffff) }
}

/** The stored form of a local author's choice. Private and direct statuses cannot be quoted by others. */
export function ownPolicy(chosen: QuotePolicy | undefined, visibility: Visibility): number {
  if (visibility === 'private' || visibility === 'direct') return 0
  const policy = chosen ?? 'public'
  return policy === 'nobody' ? 0 : packPolicy([policy])
}

export type QuoteApproval = 'automatic' | 'manual' | 'denied' | 'unknown'

export type QuoteRelationship = {
  visibility: Visibility
  isAuthor: boolean
  /** Whether the account follows the author, and is followed; null or absent when the policy does not depend on it. */
  follows?: boolean | null
  followed?: boolean | null
}

/** Whether an account may quote a status that it can see, and whose author does not block it. */
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
