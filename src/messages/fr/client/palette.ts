import type { ClientPaletteTexts } from '../../en/client/palette.ts'

export const frClientPalette: ClientPaletteTexts = {
  field: 'Écran, liste, hashtag, compte ou paramètre',
  /** The name on the key. */
  control: 'Ctrl',
  search_for: ({ query }: { query: string }) => `Rechercher « ${query} »`,
}
