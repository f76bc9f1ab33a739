// The texts of pages by language, apart from message.ts: API responses do not need them.
import type { Language } from './message.ts'
import { arPages } from './pages/ar.ts'
import { dePages } from './pages/de.ts'
import { enPages, type PageTexts } from './pages/en.ts'
import { esPages } from './pages/es.ts'
import { frPages } from './pages/fr.ts'
import { jaPages } from './pages/ja.ts'
import { arSettings } from './settings/ar.ts'
import { deSettings } from './settings/de.ts'
import { enSettings, type SettingsTexts } from './settings/en.ts'
import { esSettings } from './settings/es.ts'
import { frSettings } from './settings/fr.ts'
import { jaSettings } from './settings/ja.ts'

/** The texts of pages in one language, and what the language is. */
export type Texts = PageTexts & { settings: SettingsTexts; language: Language; direction: 'ltr' | 'rtl' }

const TEXTS: Record<Language, Texts> = {
  en: { ...enPages, settings: enSettings, language: 'en', direction: 'ltr' },
  de: { ...dePages, settings: deSettings, language: 'de', direction: 'ltr' },
  fr: { ...frPages, settings: frSettings, language: 'fr', direction: 'ltr' },
  es: { ...esPages, settings: esSettings, language: 'es', direction: 'ltr' },
  ja: { ...jaPages, settings: jaSettings, language: 'ja', direction: 'ltr' },
  ar: { ...arPages, settings: arSettings, language: 'ar', direction: 'rtl' },
}

export const textsIn = (language: Language): Texts => TEXTS[language]
