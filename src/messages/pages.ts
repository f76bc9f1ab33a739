// The texts of pages by language. Other languages than English take 3 MB, and are loaded with the first page that needs them.
import { createRequire } from 'node:module'
import { enTexts, type Texts } from './en/texts.ts'
import type { Language } from './message.ts'

export type { Texts } from './en/texts.ts'

const require = createRequire(import.meta.url)

const LOADERS: Record<Language, () => Texts> = {
  en: () => enTexts,
  de: () => (require('./de/texts.ts') as { deTexts: Texts }).deTexts,
  fr: () => (require('./fr/texts.ts') as { frTexts: Texts }).frTexts,
  es: () => (require('./es/texts.ts') as { esTexts: Texts }).esTexts,
  ja: () => (require('./ja/texts.ts') as { jaTexts: Texts }).jaTexts,
  ar: () => (require('./ar/texts.ts') as { arTexts: Texts }).arTexts,
}

const loaded = new Map<Language, Texts>()

export function textsIn(language: Language): Texts {
  const texts = loaded.get(language) ?? LOADERS[language]()
  loaded.set(language, texts)
  return texts
}
