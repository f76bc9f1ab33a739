import { Invalid } from '../../lib/errors.ts'
import { isTooLong } from '../../lib/text/count.ts'
import { POLL_MAX_EXPIRATION, POLL_MAX_OPTIONS, POLL_MIN_EXPIRATION, POLL_OPTION_LENGTH } from '../instance/limits.ts'

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

const refuse = (what: string): never => {
  throw new Invalid(`Validation failed: ${what}`)
}

/** Checks a poll. One that stands may keep its end (`keep`), where none is named. Throws Invalid. */
export function checkPoll(params: PollParams, keep?: Date | null): PollDraft {
  const options = (params.options ?? []).map((option) => option.trim())
  if (options.some((option) => option === '')) refuse("Options can't be blank")
  if (options.length < 2) refuse('Options must have more than one item')
  if (options.length > POLL_MAX_OPTIONS) refuse(`Options can't contain more than ${POLL_MAX_OPTIONS} items`)
  if (new Set(options).size < options.length) refuse('Options contain duplicate items')
  if (options.some((option) => isTooLong(option, POLL_OPTION_LENGTH)))
    refuse(`Options can't be longer than ${POLL_OPTION_LENGTH} characters each`)
  return {
    options,
    multiple: params.multiple ?? false,
    hideTotals: params.hide_totals ?? false,
    expiresAt: params.expires_in === undefined && keep !== undefined ? keep : endOf(params.expires_in),
  }
}

function endOf(seconds: number | undefined): Date {
  if (seconds === undefined) return refuse("Expires at can't be blank")
  if (seconds > POLL_MAX_EXPIRATION) refuse('Expires at is too far into the future')
  if (seconds < POLL_MIN_EXPIRATION) refuse('Expires at is too soon')
  return new Date(Date.now() + seconds * 1000)
}
