// The texts of pages by language, apart from message.ts: API responses do not need them.
import type { Language } from './message.ts'
import { arPages } from './pages/ar.ts'
import { dePages } from './pages/de.ts'
import { enPages, type PageTexts } from './pages/en.ts'
import { esPages } from './pages/es.ts'
import { frPages } from './pages/fr.ts'
import { jaPages } from './pages/ja.ts'

/** The texts of pages in one language, and what the language is. */
export type Texts = PageTexts & { language: Language; direction: 'ltr' | 'rtl' }

const TEXTS: Record<Language, Texts> = {
  en: { ...enPages, language: 'en', direction: 'ltr' },
  de: { ...dePages, language: 'de', direction: 'ltr' },
  fr: { ...frPages, language: 'fr', direction: 'ltr' },
  es: { ...esPages, language: 'es', direction: 'ltr' },
  ja: { ...jaPages, language: 'ja', direction: 'ltr' },
  ar: { ...arPages, language: 'ar', direction: 'rtl' },
}

export const textsIn = (language: Language): Texts => TEXTS[language]
