import type { ClientPaletteTexts } from '../../en/client/palette.ts'

export const deClientPalette: ClientPaletteTexts = {
  field: 'Ansicht, Liste, Hashtag, Konto oder Einstellung',
  /** The name on the key. */
  control: 'Strg',
  search_for: ({ query }: { query: string }) => `Nach „${query}“ suchen`,
}
