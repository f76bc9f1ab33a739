import { invalidField } from '../../../lib/errors.ts'
import { isTooLong } from '../../../lib/text/count.ts'
import { POLL_MAX_EXPIRATION, POLL_MAX_OPTIONS, POLL_MIN_EXPIRATION, POLL_OPTION_LENGTH } from '../../server/limits.ts'

/** A poll as people send it, in the API's names; `expires_in` in seconds. */
export type PollParams = {
  options?: readonly string[]
  expires_in?: number
  multiple?: boolean
  hide_totals?: boolean
}

/** A poll before it is one. */
export type PollDraft = {
  options: readonly string[]
  multiple: boolean
  hideTotals: boolean
  /** Null: it never ends, as on some other servers. */
  expiresAt: Date | null
  /** Of remote polls: what their server counted. */
  tallies?: readonly number[]
  votersCount?: number | null
}

/** Checks a poll. One that stands may keep its end (`keep`), where none is named. Throws Invalid. */
export function checkPoll(params: PollParams, keep?: Date | null): PollDraft {
  const options = (params.options ?? []).map((option) => option.trim())
  if (options.some((option) => option === '')) throw invalidField('options', 'blank')
  if (options.length < 2) throw invalidField('options', 'options_too_few')
  if (options.length > POLL_MAX_OPTIONS) throw invalidField('options', 'options_too_many', { count: POLL_MAX_OPTIONS })
  if (new Set(options).size < options.length) throw invalidField('options', 'options_duplicate')
  if (options.some((option) => isTooLong(option, POLL_OPTION_LENGTH)))
    throw invalidField('options', 'options_too_long', { count: POLL_OPTION_LENGTH })
  return {
    options,
    multiple: params.multiple ?? false,
    hideTotals: params.hide_totals ?? false,
    expiresAt: params.expires_in === undefined && keep !== undefined ? keep : endOf(params.expires_in),
  }
}

function endOf(seconds: number | undefined): Date {
  if (seconds === undefined) throw invalidField('expires_at', 'blank')
  if (seconds > POLL_MAX_EXPIRATION) throw invalidField('expires_at', 'too_far')
  if (seconds < POLL_MIN_EXPIRATION) throw invalidField('expires_at', 'too_soon')
  return new Date(Date.now() + seconds * 1000)
}
