import type { ClientPaletteTexts } from '../../en/client/palette.ts'

export const jaClientPalette: ClientPaletteTexts = {
  field: '画面、リスト、ハッシュタグ、アカウント、設定',
  /** The name on the key. */
  control: 'Ctrl',
  search_for: ({ query }: { query: string }) => `「${query}」を検索`,
}
