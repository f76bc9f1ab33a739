import type { ClientPaletteTexts } from '../../en/client/palette.ts'

export const esClientPalette: ClientPaletteTexts = {
  field: 'Pantalla, lista, etiqueta, cuenta o ajuste',
  /** The name on the key. */
  control: 'Ctrl',
  search_for: ({ query }: { query: string }) => `Buscar «${query}»`,
}
