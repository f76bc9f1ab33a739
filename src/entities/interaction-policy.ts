import type { InteractionPolicy, InteractionRule } from '../domain/statuses/draft.ts'

const OPEN: InteractionRule = { automatic: ['public'], manual: [] }

/** In GoToSocial's current terms and, for older clients, those that they replace. */
const presentRule = ({ automatic, manual }: InteractionRule = OPEN) => ({
  automatic_approval: automatic,
  manual_approval: manual,
  always: automatic,
  with_approval: manual,
})

/** The `interaction_policy` member of a status: who may favourite, answer and boost it. */
export const presentInteractionPolicy = (policy: InteractionPolicy) => ({
  can_favourite: presentRule(policy.like),
  can_reply: presentRule(policy.reply),
  can_reblog: presentRule(policy.announce),
})
