import { errorSummary } from '../html/forms.ts'
import { Invalid, problemOf, problemsIn, type ErrorDetails } from '../lib/errors.ts'
import type { Html } from '../lib/html.ts'
import { message, render, type Text } from '../messages/message.ts'
import type { Texts } from '../messages/pages.ts'

/** The problems with a submitted form: per field, and their summary. */
export type FormProblems = { of(field: string): string | null; summary: Html | null }

export const noProblems: FormProblems = { of: () => null, summary: null }

/**
 * The problems of an Invalid, with the form's parameter for each field. `labels` has the page's names for fields, where the
 * catalogue of API errors has others. Rethrows other errors.
 */
export function problemsOf(
  t: Texts,
  error: unknown,
  parameter: (field: string) => string,
  labels: Readonly<Record<string, string>> = {},
): FormProblems {
  if (!(error instanceof Invalid)) throw error
  const details = (error.extra?.details ?? {}) as ErrorDetails
  const problems = Object.entries(details).flatMap(([field, list]) =>
    list.map(({ description }) => ({ field, text: textOf(t, field, description, labels) })),
  )
  if (problems.length === 0) return oneProblem(t, problemsIn(error))
  return {
    of: (field) => problems.find((problem) => problem.field === field)?.text ?? null,
    summary: errorSummary(
      t,
      problems.map(({ field, text }) => ({ name: parameter(field), message: text })),
    ),
  }
}

function textOf(t: Texts, field: string, problem: Text, labels: Readonly<Record<string, string>>): string {
  const label = labels[field]
  return render(label ? message('field_problem', { field: label, problem }) : problemOf(field, problem), t.language)
}

/** A problem with the form as a whole, or with one parameter of it. */
export function oneProblem(t: Texts, problem: Text, name?: string): FormProblems {
  const text = render(problem, t.language)
  return {
    of: (field) => (field === name ? text : null),
    summary: errorSummary(t, [name === undefined ? { message: text } : { name, message: text }]),
  }
}
