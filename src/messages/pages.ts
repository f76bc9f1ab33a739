// The texts of pages by language, apart from message.ts: API responses do not need them.
import type { Language } from './message.ts'
import { arAdmin } from './ar/admin.ts'
import { arAuth } from './ar/auth.ts'
import { arPages } from './ar/pages.ts'
import { deAdmin } from './de/admin.ts'
import { deAuth } from './de/auth.ts'
import { dePages } from './de/pages.ts'
import { enAdmin, type AdminTexts } from './en/admin.ts'
import { enAuth, type AuthTexts } from './en/auth.ts'
import { enPages, type PageTexts } from './en/pages.ts'
import { esAdmin } from './es/admin.ts'
import { esAuth } from './es/auth.ts'
import { esPages } from './es/pages.ts'
import { frAdmin } from './fr/admin.ts'
import { frAuth } from './fr/auth.ts'
import { frPages } from './fr/pages.ts'
import { jaAdmin } from './ja/admin.ts'
import { jaAuth } from './ja/auth.ts'
import { jaPages } from './ja/pages.ts'
import { arDisputes } from './ar/disputes.ts'
import { deDisputes } from './de/disputes.ts'
import { enDisputes, type DisputeTexts } from './en/disputes.ts'
import { esDisputes } from './es/disputes.ts'
import { frDisputes } from './fr/disputes.ts'
import { jaDisputes } from './ja/disputes.ts'
import { arSettings } from './ar/settings.ts'
import { deSettings } from './de/settings.ts'
import { enSettings, type SettingsTexts } from './en/settings.ts'
import { esSettings } from './es/settings.ts'
import { frSettings } from './fr/settings.ts'
import { jaSettings } from './ja/settings.ts'

export type Texts = PageTexts &
  AuthTexts & {
    settings: SettingsTexts
    disputes: DisputeTexts
    admin: AdminTexts
    language: Language
    direction: 'ltr' | 'rtl'
  }

const TEXTS: Record<Language, Texts> = {
  en: {
    ...enPages,
    ...enAuth,
    settings: enSettings,
    disputes: enDisputes,
    admin: enAdmin,
    language: 'en',
    direction: 'ltr',
  },
  de: {
    ...dePages,
    ...deAuth,
    settings: deSettings,
    disputes: deDisputes,
    admin: deAdmin,
    language: 'de',
    direction: 'ltr',
  },
  fr: {
    ...frPages,
    ...frAuth,
    settings: frSettings,
    disputes: frDisputes,
    admin: frAdmin,
    language: 'fr',
    direction: 'ltr',
  },
  es: {
    ...esPages,
    ...esAuth,
    settings: esSettings,
    disputes: esDisputes,
    admin: esAdmin,
    language: 'es',
    direction: 'ltr',
  },
  ja: {
    ...jaPages,
    ...jaAuth,
    settings: jaSettings,
    disputes: jaDisputes,
    admin: jaAdmin,
    language: 'ja',
    direction: 'ltr',
  },
  ar: {
    ...arPages,
    ...arAuth,
    settings: arSettings,
    disputes: arDisputes,
    admin: arAdmin,
    language: 'ar',
    direction: 'rtl',
  },
}

export const textsIn = (language: Language): Texts => TEXTS[language]
