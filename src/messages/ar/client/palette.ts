import type { ClientPaletteTexts } from '../../en/client/palette.ts'

export const arClientPalette: ClientPaletteTexts = {
  field: 'شاشة أو قائمة أو وسم أو حساب أو إعداد',
  /** The name on the key. */
  control: 'Ctrl',
  search_for: ({ query }: { query: string }) => `البحث عن «${query}»`,
}
