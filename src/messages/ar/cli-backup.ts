import type { CliBackupTexts } from '../en/cli-backup.ts'
import { plural } from '../plural.ts'

export const arCliBackup: CliBackupTexts = {
  commands: {
    backup: {
      summary: 'كتابة أرشيف واحد لقاعدة البيانات والمفاتيح وقائمة بكل الوسائط أثناء عمل الخادم',
      options: { media: 'إضافة الملفات المرفوعة إلى الأرشيف أيضًا؛ تُترك نسخ الوسائط البعيدة لأن الخادم يجلبها من جديد' },
    },
    restore: {
      summary: 'استعادة أرشيف من `rookery backup` إلى خادم فارغ. يُفحص الأرشيف كله أولًا',
      options: { 'dry-run': 'فحص الأرشيف فقط' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `الملف ${file} موجود بالفعل. اختر اسمًا آخر.`,
    no_file: ({ file }: { file: string }) => `تعذرت قراءة ${file}.`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `لا يمكن كتابة ${file} (${code}). تحقق من وجود المجلد، ومن أن هذا المستخدم يستطيع الكتابة فيه، ومن وجود مساحة على القرص.`,
    not_a_backup: ({ file }: { file: string }) => `الملف ${file} ليس أرشيفًا من rookery backup.`,
    damaged: ({ member }: { member: string }) => `الأرشيف تالف (${member}). لم يتغير شيء.`,
    incomplete: 'الأرشيف غير مكتمل. لم يتغير شيء.',
    newer: ({ version }: { version: string }) =>
      `الأرشيف من Rookery ${version} ولا تعرفه هذه النسخة. حدّثها أو استخدم ذلك الإصدار. لم يتغير شيء.`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `الأرشيف يخص ${theirs} وهذا الخادم هو ${own}. اضبط LOCAL_DOMAIN=${theirs}. لم يتغير شيء.`,
    other_secret: 'قيمة SECRET_KEY_BASE تختلف عما في الأرشيف. أزلها أو اضبطها على قيمة الأرشيف. لم يتغير شيء.',
    no_secret: 'تعذرت قراءة المفتاح السري. شغّل الأمر بمستخدم الخادم وبنفس DATA_DIR و SECRET_KEY_BASE.',
    not_migrated: 'لا يوجد Rookery في قاعدة البيانات هذه.',
    not_empty: 'في هذا الخادم حسابات أو منشورات بالفعل. لا يُستعاد الأرشيف إلا إلى خادم فارغ. لم يتغير شيء.',
    running: 'الخادم يعمل. أوقفه أولًا. لم يتغير شيء.',
  },
  tables: ({ done, total, table, size }: { done: number; total: number; table: string; size: string }) =>
    `${done} من ${total} جدول (${table})، ${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `جارٍ الفحص، ${size}`,
    restore: ({ size }: { size: string }) => `جارٍ الاستعادة، ${size}`,
    check: 'جارٍ فحص البيانات المستعادة',
  },
  done: ({ file, rows, files, included, size }) =>
    `كُتب ${file}: ‏${rows}، القائمة: ${files}، المضمّن: ${included}، ${size}. احفظه سرًا لأنه يحتوي على المفاتيح.`,
  good: ({ domain, date, rows, files }) => `أرشيف ${domain} بتاريخ ${date} سليم: ${rows}، ${files}.`,
  restored: ({ domain, date, rows, files }) =>
    `استُعيد ${domain} كما كان في ${date}: ‏${rows}، ${files}. شغّل الخادم الآن.`,
  missing: ({ count }) =>
    plural('ar', count, {
      zero: 'لا ملفات مرفوعة ناقصة.',
      one: 'ينقص ملف مرفوع واحد.',
      two: 'ينقص ملفان مرفوعان.',
      few: 'تنقص # ملفات مرفوعة.',
      many: 'ينقص # ملفًا مرفوعًا.',
      other: 'ينقص # ملف مرفوع.',
    }) + ' انسخ المجلد files/ من مجلد البيانات القديم إلى هنا.',
}
