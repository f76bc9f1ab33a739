import { plural } from '../../plural.ts'
import type { ClientTransferTexts } from '../../en/client/transfer.ts'

export const arClientTransfer: ClientTransferTexts = {
  title: 'الإعدادات في ملف',
  explanation: 'ينقل هذه الإعدادات وأعمدتك إلى متصفح آخر. لا يحتوي الملف على كلمات مرور أو أسرار أخرى.',
  with_drafts: 'مع المسودات',
  with_drafts_hint: 'نصوصها فقط: تبقى المرفقات على هذا الجهاز.',
  export: 'تصدير',
  import: 'استيراد…',
  preview_title: 'أتريد استيراد هذه الإعدادات؟',
  from: 'من {account}، {time}',
  other_account: 'الملف من حساب آخر، لذلك لا تُستورد أعمدته ومسوداته.',
  nothing: 'كل شيء مطابق للملف بالفعل.',
  change: '{before} ← {after}',
  on: 'مفعّل',
  off: 'معطّل',
  apply: 'استيراد',
  imported: 'تم استيراد الإعدادات',
  unknown: 'هذا ليس ملف إعدادات. اختر ملفًا صُدّر من هنا.',
  too_new: 'أنشأ هذا الملفَ إصدارٌ أحدث. أعد تحميل هذه الصفحة ثم حاول مرة أخرى.',
  too_large: 'الملف كبير جدًا.',
  drafts_added: ({ count }: { count: number }) =>
    plural('ar', count, {
      one: 'ستُضاف مسودة واحدة.',
      two: 'ستُضاف مسودتان.',
      few: 'ستُضاف # مسودات.',
      many: 'ستُضاف # مسودة.',
      other: 'ستُضاف # مسودة.',
    }),
}
