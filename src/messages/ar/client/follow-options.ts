import type { ClientFollowOptionsTexts } from '../../en/client/follow-options.ts'

export const arClientFollowOptions: ClientFollowOptionsTexts = {
  title: ({ handle }) => `ما تراه من ${handle}`,
  notify_hint: 'يصلك إشعار بكل منشور.',
  show_boosts: 'عرض إعادات النشر',
  show_boosts_hint: 'في خيطك الرئيسي.',
  languages: 'اللغات',
  languages_all: 'ترى المنشورات بكل اللغات.',
  languages_hint: 'ترى في خيطك الرئيسي المنشورات بهذه اللغات فقط.',
  add_language: 'إضافة لغة',
  remove_language: ({ name }) => `إزالة ${name}`,
}
