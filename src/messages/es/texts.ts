import type { Texts } from '../en/texts.ts'
import { esAdmin } from './admin.ts'
import { esAuth } from './auth.ts'
import { esDisputes } from './disputes.ts'
import { esPages } from './pages.ts'
import { esPrivacyPolicy } from './privacy-policy.ts'
import { esProvider } from './provider.ts'
import { esSettings } from './settings.ts'

export const esTexts: Texts = {
  ...esPages,
  ...esAuth,
  settings: esSettings,
  disputes: esDisputes,
  policy: esPrivacyPolicy,
  provider: esProvider,
  admin: esAdmin,
  language: 'es',
  direction: 'ltr',
}
