import { groupedNumber, plural } from '../../plural.ts'
import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const arClientExplore: ClientExploreTexts = {
  posts: 'المنشورات',
  tags: 'الوسوم',
  links: 'الأخبار',
  people: 'الأشخاص',
  trending_tags: 'الوسوم المتداولة',
  suggested: 'اقتراحات',
  empty: 'لا شيء متداول حاليًا. عد لاحقًا.',
  recently_active: 'النشطة مؤخرًا',
  new_arrivals: 'المنضمة حديثًا',
  only_local: 'حسابات هذا الخادم فقط',
  no_directory: 'لا توجد حسابات مدرجة هنا.',
  people_days: ({ count }: { count: number }) =>
    plural(
      'ar',
      count,
      {
        one: 'شخص واحد يوميًا',
        two: 'حتى شخصين يوميًا',
        few: 'حتى # أشخاص يوميًا',
        many: 'حتى # شخصًا يوميًا',
        other: 'حتى # شخص يوميًا',
      },
      groupedNumber,
    ),
  link_posts: ({ count }: { count: number }) =>
    plural(
      'ar',
      count,
      {
        one: 'منشورات من شخص واحد يوميًا',
        two: 'منشورات من شخصين يوميًا كحد أقصى',
        few: 'منشورات من # أشخاص يوميًا كحد أقصى',
        many: 'منشورات من # شخصًا يوميًا كحد أقصى',
        other: 'منشورات من # شخص يوميًا كحد أقصى',
      },
      groupedNumber,
    ),
}
