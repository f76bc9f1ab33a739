import { sentence, type Problem } from '../domain/auth/problems.ts'
import { errorSummary } from '../html/forms.ts'
import { Invalid, problemsIn, type ErrorDetails } from '../lib/errors.ts'
import type { Html } from '../lib/html.ts'

/** What is wrong with a form that was sent: for its fields, and in sum. */
export type FormProblems = { of(field: string): string | null; summary: Html | null }

export const noProblems: FormProblems = { of: () => null, summary: null }

/**
 * The problems that an Invalid tells, with the form's parameter for each field. `labels` say what fields are called where they
 * are not those of a sign-up. Other errors are thrown on.
 */
export function problemsOf(
  error: unknown,
  parameter: (field: string) => string,
  labels: Readonly<Record<string, string>> = {},
): FormProblems {
  if (!(error instanceof Invalid)) throw error
  const details = (error.extra?.details ?? {}) as ErrorDetails
  const problems = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => ({ field, text: textOf(field, String(description), labels) })),
  )
  if (problems.length === 0) return oneProblem(String(problemsIn(error)))
  return {
    of: (field) => problems.find((problem) => problem.field === field)?.text ?? null,
    summary: errorSummary(problems.map(({ field, text }) => ({ name: parameter(field), message: text }))),
  }
}

function textOf(field: string, description: string, labels: Readonly<Record<string, string>>): string {
  const label = labels[field]
  return label ? `${label} ${description}` : String(sentence({ field, description } as Problem))
}

/** A problem with the form as a whole, or with one parameter of it. */
export function oneProblem(message: string, name?: string): FormProblems {
  return {
    of: (field) => (field === name ? message : null),
    summary: errorSummary([name === undefined ? { message } : { name, message }]),
  }
}
