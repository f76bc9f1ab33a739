import { invalidFields, type ErrorDetails } from '../../lib/errors.ts'
import { message, type Text } from '../../messages/message.ts'

/** Something wrong with one field of a sign-up or of a change to it. */
export type Problem = {
  field: 'username' | 'email' | 'password' | 'agreement' | 'reason' | 'date_of_birth'
  error: `ERR_${string}`
  description: Text
}

/** Throws Invalid, with all problems in its `details`, when there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const details: ErrorDetails = {}
  for (const { field, error, description } of problems) (details[field] ??= []).push({ error, description })
  throw invalidFields(details)
}

export const blank = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_BLANK',
  description: message('blank'),
})
export const invalidValue = (field: Problem['field'], description: Text = message('invalid')): Problem => ({
  field,
  error: 'ERR_INVALID',
  description,
})
export const taken = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_TAKEN',
  description: message('taken'),
})
export const tooLong = (field: Problem['field'], max: number): Problem => ({
  field,
  error: 'ERR_TOO_LONG',
  description: message('too_long', { count: max }),
})
export const tooShort = (field: Problem['field'], min: number): Problem => ({
  field,
  error: 'ERR_TOO_SHORT',
  description: message('too_short', { count: min }),
})
