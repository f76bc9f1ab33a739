import type { Texts } from '../en/texts.ts'
import { arAdmin } from './admin.ts'
import { arAuth } from './auth.ts'
import { arDisputes } from './disputes.ts'
import { arPages } from './pages.ts'
import { arPrivacyPolicy } from './privacy-policy.ts'
import { arProvider } from './provider.ts'
import { arSettings } from './settings.ts'

export const arTexts: Texts = {
  ...arPages,
  ...arAuth,
  settings: arSettings,
  disputes: arDisputes,
  policy: arPrivacyPolicy,
  provider: arProvider,
  admin: arAdmin,
  language: 'ar',
  direction: 'rtl',
}
