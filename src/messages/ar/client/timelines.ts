import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const arClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('ar', count, {
      one: 'منشور جديد',
      two: 'منشوران جديدان',
      few: '# منشورات جديدة',
      many: '# منشورًا جديدًا',
      other: '# منشور جديد',
    }),
  load_gap: 'تحميل المنشورات الناقصة',
  end: 'وصلت إلى النهاية.',
  empty: 'لا توجد منشورات هنا بعد.',
  home_empty: 'خيطك الرئيسي فارغ. تابع أشخاصًا لملئه.',
}
