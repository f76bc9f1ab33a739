import { signal } from '@preact/signals'

/** The path of the column that the deck shows next, and gives the focus. */
export const wantedColumn = signal<string | null>(null)
