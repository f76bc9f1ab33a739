import { Invalid, type ErrorDetails } from '../../lib/errors.ts'

/** Something wrong with one field of a sign-up or of a change to it. */
export type Problem = { field: keyof typeof LABELS; error: `ERR_${string}`; description: string }

const LABELS = {
  username: 'Username',
  email: 'E-mail address',
  password: 'Password',
  agreement: 'Service agreement',
  reason: 'Reason',
  date_of_birth: 'Date of birth',
}

/** Throws Invalid, with all problems in its `details`, when there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const details: ErrorDetails = {}
  for (const { field, error, description } of problems) (details[field] ??= []).push({ error, description })
  throw new Invalid(`Validation failed: ${problems.map(sentence).join(', ')}`, details)
}

/** A problem in words: "Username is reserved". */
export const sentence = ({ field, description }: Problem): string => `${LABELS[field]} ${description}`

export const blank = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_BLANK',
  description: "can't be blank",
})
export const invalid = (field: Problem['field'], description = 'is invalid'): Problem => ({
  field,
  error: 'ERR_INVALID',
  description,
})
export const taken = (field: Problem['field']): Problem => ({
  field,
  error: 'ERR_TAKEN',
  description: 'has already been taken',
})
export const tooLong = (field: Problem['field'], max: number): Problem => ({
  field,
  error: 'ERR_TOO_LONG',
  description: `is too long (maximum is ${max} characters)`,
})
export const tooShort = (field: Problem['field'], min: number): Problem => ({
  field,
  error: 'ERR_TOO_SHORT',
  description: `is too short (minimum is ${min} characters)`,
})
