// Policies about who may quote a status, or add an account to a collection.

/** `following`: the accounts that the author follows. */
export type PolicyGroup = 'public' | 'followers' | 'following' | 'unsupported_policy'

const BITS: Record<PolicyGroup, number> = { unsupported_policy: 1, public: 2, followers: 4, following: 8 }
const AUTOMATIC_SHIFT = 16

/** The form in which policies are stored: groups that are approved at once, shifted, and groups that need approval. */
export function packPolicy(automatic: readonly PolicyGroup[], manual: readonly PolicyGroup[] = []): number {
  const bitsOf = (groups: readonly PolicyGroup[]): number => groups.reduce((bits, group) => bits | BITS[group], 0)
  return (bitsOf(automatic) << AUTOMATIC_SHIFT) | bitsOf(manual)
}

export function unpackPolicy(policy: number): { automatic: PolicyGroup[]; manual: PolicyGroup[] } {
  const groupsOf = (bits: number): PolicyGroup[] =>
    (['public', 'followers', 'following', 'unsupported_policy'] as const).filter((group) => (bits & BITS[group]) !== 0)
  return { automatic: groupsOf(policy >> AUTOMATIC_SHIFT), manual: groupsOf(policy & 0xffff) }
}

/** Who may add a local account to a collection; the account itself may, unless this is empty. */
export const localFeaturePolicy = ({
  discoverable,
  locked,
}: {
  discoverable: boolean | null
  locked: boolean
}): number => packPolicy(discoverable ? [locked ? 'followers' : 'public'] : [])

export type Approval = 'automatic' | 'manual' | 'denied' | 'unknown'

/** Null or absent when the policy does not depend on follows. */
export type PolicyRelationship = { follows?: boolean | null; followed?: boolean | null }

/** The approval that the policy gives an account other than the author. */
export function approvalUnder(policy: number, { follows, followed }: PolicyRelationship): Approval {
  const applies = (groups: readonly PolicyGroup[]): boolean =>
    groups.includes('public') ||
    (groups.includes('followers') && follows === true) ||
    (groups.includes('following') && followed === true)
  const { automatic, manual } = unpackPolicy(policy)
  if (applies(automatic)) return 'automatic'
  if (applies(manual)) return 'manual'
  return [...automatic, ...manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}
