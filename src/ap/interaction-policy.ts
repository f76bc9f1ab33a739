import { packPolicy, type PolicyGroup } from '../lib/approval-policy.ts'
import { isPublic } from './audience.ts'
import { idsOf, type Json } from './normalise.ts'

/** The account whose policy it is, with its collections. */
export type PolicyOwner = { id: string; followers: string | null; following: string | null }

/** Empty for the owner itself, which is in no group. */
export function groupOf(uri: string, owner: PolicyOwner): PolicyGroup[] {
  if (isPublic(uri)) return ['public']
  if (uri === owner.followers) return ['followers']
  if (uri === owner.following) return ['following']
  return uri === owner.id ? [] : ['unsupported_policy']
}

/** Packed: see `packPolicy`. `rule`: `canQuote` or `canFeature`, in the current form or in the one of GoToSocial before 0.19. */
export function policyOf(rule: Json, owner: PolicyOwner): number {
  const groups = (...names: string[]): PolicyGroup[] =>
    names.flatMap((name) => idsOf(rule[name]).flatMap((uri) => groupOf(uri, owner)))
  return packPolicy(groups('automaticApproval', 'always'), groups('manualApproval', 'approvalRequired'))
}
