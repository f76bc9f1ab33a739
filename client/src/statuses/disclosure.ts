// What the viewer opened or hid, by status. It outlives the component: lists take items out of the document and put them back.
import { signal, type Signal } from '@preact/signals'

type Part = 'warning' | 'filter' | 'text' | 'media' | 'results'

const LIMIT = 2000

const choices = new Map<string, Signal<boolean | null>>()

/** Null until the viewer chose: what is usual for the part holds. */
export function choiceOf(statusId: string, part: Part): Signal<boolean | null> {
  const key = `${statusId} ${part}`
  let found = choices.get(key)
  if (!found) {
    if (choices.size >= LIMIT) for (const old of [...choices.keys()].slice(0, LIMIT / 10)) choices.delete(old)
    choices.set(key, (found = signal<boolean | null>(null)))
  }
  return found
}
