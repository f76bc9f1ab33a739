export const enClientPalette = {
  field: 'Screen, list, hashtag, account or setting',
  /** The name on the key. */
  control: 'Ctrl',
  search_for: ({ query }: { query: string }) => `Search for “${query}”`,
}

export type ClientPaletteTexts = typeof enClientPalette
