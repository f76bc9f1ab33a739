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
  find_people: 'ابحث عن أشخاص لمتابعتهم',
  bookmarks_empty: 'لا توجد فواصل مرجعية بعد. أنت وحدك تراها.',
  favourites_empty: 'لا توجد منشورات مفضلة بعد.',
  list_empty: 'لا يوجد شيء في هذه القائمة بعد. ستظهر هنا منشورات أعضائها الجديدة.',
  edit_list: 'تعديل القائمة',
  link_posts: 'منشورات بهذا الرابط',
  follow_tag: 'متابعة الوسم',
  unfollow_tag: 'إلغاء متابعة الوسم',
  feature_tag: 'إبراز في الملف الشخصي',
  unfeature_tag: 'إلغاء الإبراز',
  tag_usage: ({ posts, people }: { posts: string; people: string }) =>
    `${posts} منشورًا هذا الأسبوع، من ${people} أشخاص يوميًا كحد أقصى`,
}
