import type { Texts } from '../en/texts.ts'
import { frAdmin } from './admin.ts'
import { frAuth } from './auth.ts'
import { frDisputes } from './disputes.ts'
import { frPages } from './pages.ts'
import { frPrivacyPolicy } from './privacy-policy.ts'
import { frProvider } from './provider.ts'
import { frSettings } from './settings.ts'

export const frTexts: Texts = {
  ...frPages,
  ...frAuth,
  settings: frSettings,
  disputes: frDisputes,
  policy: frPrivacyPolicy,
  provider: frProvider,
  admin: frAdmin,
  language: 'fr',
  direction: 'ltr',
}
