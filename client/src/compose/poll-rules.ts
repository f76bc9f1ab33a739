// The rules for the options of a poll. The server has the same rules.
import { countGraphemes } from '../../../src/lib/text/count.ts'
import { identity } from '../state/me.ts'
import { texts } from '../texts.ts'
import type { DraftPoll } from './draft.ts'

/** In words for people; null for none. */
export function problemOfOption({ options }: DraftPoll, index: number, limit: number): string | null {
  const option = options[index]?.trim() ?? ''
  const over = countGraphemes(option) - limit
  if (over > 0) return texts.compose.too_long({ count: over })
  const isTwice = option !== '' && options.some((other, at) => at < index && other.trim() === option)
  return isTwice ? texts.compose.option_twice : null
}

/** Whether a poll has at least two options, and the server would accept each. */
export function isPollReady(poll: DraftPoll): boolean {
  const limit = identity.value?.instance.configuration.polls.max_characters_per_option ?? Infinity
  return (
    poll.options.filter((option) => option.trim() !== '').length >= 2 &&
    poll.options.every((_, index) => problemOfOption(poll, index, limit) === null)
  )
}
