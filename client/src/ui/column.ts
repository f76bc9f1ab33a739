import { createContext } from 'preact'

export type Column = {
  /** Whether it is a column of the deck, rather than the screen of the address. */
  isPinned: boolean
  /** The element that scrolls; null for the window. */
  scroller: HTMLElement | null
}

export const ColumnContext = createContext<Column>({ isPinned: false, scroller: null })
