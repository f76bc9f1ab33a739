// The texts of pages, apart from message.ts: API responses do not need them.
import type { Language } from '../message.ts'
import { enAdmin, type AdminTexts } from './admin.ts'
import { enAuth, type AuthTexts } from './auth.ts'
import { enDisputes, type DisputeTexts } from './disputes.ts'
import { enPages, type PageTexts } from './pages.ts'
import { enPrivacyPolicy, type PrivacyPolicyTexts } from './privacy-policy.ts'
import { enProvider, type ProviderTexts } from './provider.ts'
import { enSettings, type SettingsTexts } from './settings.ts'

export type Texts = PageTexts &
  AuthTexts & {
    settings: SettingsTexts
    disputes: DisputeTexts
    policy: PrivacyPolicyTexts
    provider: ProviderTexts
    admin: AdminTexts
    language: Language
    direction: 'ltr' | 'rtl'
  }

export const enTexts: Texts = {
  ...enPages,
  ...enAuth,
  settings: enSettings,
  disputes: enDisputes,
  policy: enPrivacyPolicy,
  provider: enProvider,
  admin: enAdmin,
  language: 'en',
  direction: 'ltr',
}
