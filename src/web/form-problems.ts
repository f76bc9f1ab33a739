import { errorSummary } from '../html/forms.ts'
import { Conflict, Invalid, problemOf, problemsIn } from '../lib/errors.ts'
import type { Html } from '../lib/html.ts'
import { message, render, type Text } from '../messages/message.ts'
import type { Texts } from '../messages/pages.ts'

export type FormProblems = { of(field: string): string | null; summary: Html | null }

export const noProblems: FormProblems = { of: () => null, summary: null }

const sameName = (field: string): string => field

/** `parameter` maps a field to the form's parameter, if they differ. Rethrows errors other than Invalid and Conflict. */
export const problemsOf = (t: Texts, error: unknown, parameter = sameName): FormProblems =>
  collect(t, error, parameter, problemOf)

/** As problemsOf. `labels`: what the page calls the fields. */
export const labelledProblems = (
  t: Texts,
  error: unknown,
  labels: Readonly<Record<string, unknown>>,
  parameter = sameName,
): FormProblems =>
  collect(t, error, parameter, (field, problem) => {
    const label = labels[field]
    return typeof label !== 'string' ? problemOf(field, problem) : message('field_problem', { field: label, problem })
  })

function collect(
  t: Texts,
  error: unknown,
  parameter: (field: string) => string,
  describe: (field: string, problem: Text) => Text,
): FormProblems {
  if (error instanceof Conflict) return oneProblem(t, error.text)
  if (!(error instanceof Invalid)) throw error
  const problems = Object.entries(error.problems).flatMap(([field, list]) =>
    list.map(({ description }) => {
      const text = field === 'base' ? description : describe(field, description)
      return { field, text: render(text, t.language) }
    }),
  )
  if (problems.length === 0) return oneProblem(t, problemsIn(error))
  return {
    of: (field) => problems.find((problem) => problem.field === field)?.text ?? null,
    summary: errorSummary(
      t,
      problems.map(({ field, text }) =>
        field === 'base' ? { message: text } : { name: parameter(field), message: text },
      ),
    ),
  }
}

/** Without `name`, a form parameter, the problem concerns the whole form. */
export function oneProblem(t: Texts, problem: Text, name?: string): FormProblems {
  const text = render(problem, t.language)
  return {
    of: (field) => (field === name ? text : null),
    summary: errorSummary(t, [name === undefined ? { message: text } : { name, message: text }]),
  }
}
