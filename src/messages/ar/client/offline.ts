import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const arClientOffline: ClientOfflineTexts = {
  too_many_requests: 'طلبات كثيرة جدًا. انتظر دقيقة ثم أعد المحاولة.',
  unavailable: 'الخادم غير متاح حاليًا. يُرجى إعادة المحاولة بعد قليل.',
  too_large: 'هذا أكبر مما يقبله الخادم. اختر ملفًا أصغر أو اختصر النص.',
  sign_out: 'تسجيل الخروج',
  sign_out_question: 'أتريد تسجيل الخروج؟',
  sign_out_explanation: 'ستُحذف المسودات والمنشورات غير المرسلة وكل ما خزّنه هذا الجهاز لحسابك.',
  sign_out_of: ({ handle }) => `تسجيل الخروج من \u2068@${handle}\u2069`,
  switch_to: ({ handle }) => `التبديل إلى \u2068@${handle}\u2069`,
  add_account: 'إضافة حساب آخر',
  account_gone: 'تم تسجيل خروجك من هذا الحساب.',
  install: 'تثبيت التطبيق',
  push_on: 'إظهار الإشعارات على هذا الجهاز',
  push_alerts: 'أبلغني عن',
  push_from: 'من',
  push_from_all: 'الجميع',
  push_from_followed: 'من أتابعهم',
  push_from_follower: 'متابعيّ',
}
