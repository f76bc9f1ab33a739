// The parts of statuses that the viewer opened or hid. They outlive the component: lists take items out of the document and put them back.
import { signal, type Signal } from '@preact/signals'
import { RecentMap } from '../state/recent-map.ts'

type Part = 'warning' | 'filter' | 'text' | 'media' | 'results' | 'mentions'

const choices = new RecentMap<Signal<boolean | null>>(2000)

/** Null until the viewer chose: what is usual for the part holds. */
export const choiceOf = (statusId: string, part: Part): Signal<boolean | null> =>
  choices.getOr(`${statusId} ${part}`, () => signal<boolean | null>(null))
