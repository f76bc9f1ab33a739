import type { Texts } from '../en/texts.ts'
import { jaAdmin } from './admin.ts'
import { jaAuth } from './auth.ts'
import { jaDisputes } from './disputes.ts'
import { jaPages } from './pages.ts'
import { jaPrivacyPolicy } from './privacy-policy.ts'
import { jaProvider } from './provider.ts'
import { jaSettings } from './settings.ts'

export const jaTexts: Texts = {
  ...jaPages,
  ...jaAuth,
  settings: jaSettings,
  disputes: jaDisputes,
  policy: jaPrivacyPolicy,
  provider: jaProvider,
  admin: jaAdmin,
  language: 'ja',
  direction: 'ltr',
}
