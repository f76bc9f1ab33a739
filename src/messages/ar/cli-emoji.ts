import type { CliEmojiTexts } from '../en/cli-emoji.ts'

export const arCliEmoji: CliEmojiTexts = {
  commands: {
    'emoji import': {
      summary: 'إضافة صور من مجلد أو tar أو tar.gz، أو صورة واحدة، كرموز تعبيرية بأسماء ملفاتها',
      options: {
        prefix: 'نص قبل كل اسم',
        suffix: 'نص بعد كل اسم',
        category: 'فئة الرموز',
        overwrite: 'استبدال صور الرموز الموجودة؛ وإلا فتُتخطى',
        unlisted: 'عدم إظهار الرموز في منتقي التطبيقات',
        'dry-run': 'إظهار ما سيُستورد فقط',
      },
    },
    'emoji export': {
      summary: 'كتابة الرموز التعبيرية لهذا الخادم في ملف tar.gz جديد',
      options: { category: 'هذه الفئة فقط' },
    },
    'emoji purge': {
      summary: 'حذف رموز تعبيرية',
      options: {
        remote: 'كل رموز الخوادم الأخرى؛ تظهر مجددًا عند استخدامها',
        suspended: 'رموز الخوادم المعلّقة فقط',
        domain: 'رموز خادم واحد',
        local: 'رموز هذا الخادم',
        'dry-run': 'عدّها فقط',
        yes: 'تأكيد حذف رموز هذا الخادم',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }) =>
    `استُورد: ${imported}، استُبدل: ${replaced}، تُخطي: ${skipped}، فشل: ${failed}`,
  exported: ({ emojis, file }) => `كُتب في ${file}: ${emojis}`,
  exists: ({ file }) => `${file} موجود بالفعل. اختر اسمًا آخر.`,
  unreadable: ({ file }) => `تعذرت قراءة ${file} أو الكتابة فيه.`,
  not_an_archive: ({ file }) => `${file} ليس صورة PNG أو GIF أو WebP ولا أرشيف tar أو tar.gz كاملًا لصور كهذه.`,
}
