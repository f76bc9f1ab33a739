import { plural } from '../../plural.ts'
import type { ClientStatusesTexts } from '../../en/client/statuses.ts'

export const arClientStatuses: ClientStatusesTexts = {
  actions: 'الإجراءات',
  boosted_by: 'أعاد {name} النشر',
  boosted_by_many: ({ count }: { count: number }) =>
    plural('ar', count, {
      one: 'أعاد {name} وشخص آخر النشر',
      two: 'أعاد {name} وشخصان آخران النشر',
      few: 'أعاد {name} و# آخرون النشر',
      other: 'أعاد {name} و# آخرون النشر',
    }),
  edited: 'مُعدَّل',
  reply: 'ردّ',
  boost: 'إعادة النشر',
  undo_boost: 'إلغاء إعادة النشر',
  favourite: 'تفضيل',
  undo_favourite: 'إزالة من المفضلة',
  bookmark: 'إضافة فاصل مرجعي',
  undo_bookmark: 'إزالة الفاصل المرجعي',
  more: 'المزيد',
  copy_link: 'نسخ الرابط',
  link_copied: 'نُسخ الرابط',
  open_original: 'فتح الصفحة الأصلية',
  show_more: 'عرض المزيد',
  show_less: 'عرض أقل',
  visibilities: {
    public: 'عام',
    unlisted: 'غير مدرج',
    private: 'للمتابِعين فقط',
    direct: 'إشارة خاصة',
  },
}
