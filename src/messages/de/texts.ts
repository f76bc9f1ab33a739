import type { Texts } from '../en/texts.ts'
import { deAdmin } from './admin.ts'
import { deAuth } from './auth.ts'
import { deDisputes } from './disputes.ts'
import { dePages } from './pages.ts'
import { dePrivacyPolicy } from './privacy-policy.ts'
import { deProvider } from './provider.ts'
import { deSettings } from './settings.ts'

export const deTexts: Texts = {
  ...dePages,
  ...deAuth,
  settings: deSettings,
  disputes: deDisputes,
  policy: dePrivacyPolicy,
  provider: deProvider,
  admin: deAdmin,
  language: 'de',
  direction: 'ltr',
}
