import { groupedNumber, plural } from '../../plural.ts'
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
  posts_this_week: ({ count }: { count: number }) =>
    plural(
      'ar',
      count,
      {
        one: 'منشور واحد هذا الأسبوع',
        two: 'منشوران هذا الأسبوع',
        few: '# منشورات هذا الأسبوع',
        many: '# منشورًا هذا الأسبوع',
        other: '# منشور هذا الأسبوع',
      },
      groupedNumber,
    ),
  catch_up: {
    explanation: 'اطّلع على ما حدث في خيطك الرئيسي أثناء غيابك دون تمريره كله.',
    last_hours: ({ count }: { count: number }) =>
      plural('ar', count, {
        one: 'الساعة الأخيرة',
        two: 'آخر ساعتين',
        few: 'آخر # ساعات',
        many: 'آخر # ساعة',
        other: 'آخر # ساعة',
      }),
    start: 'ما فاتني',
    progress: ({ posts, time }: { posts: string; time: string }) => `${posts} منشورًا حتى الآن، حتى ${time}…`,
    nothing: ({ count }: { count: number }) =>
      plural('ar', count, {
        one: 'لا جديد في الساعة الأخيرة.',
        two: 'لا جديد في آخر ساعتين.',
        few: 'لا جديد في آخر # ساعات.',
        other: 'لا جديد في آخر # ساعة.',
      }),
    show: 'عرض',
    all: 'الكل',
    kinds: { posts: 'المنشورات', replies: 'الردود', boosts: 'إعادات النشر', media: 'الوسائط' },
    order: 'الترتيب',
    orders: {
      newest: 'الأحدث أولًا',
      oldest: 'الأقدم أولًا',
      favourites: 'الأكثر تفضيلًا',
      boosts: 'الأكثر إعادة نشر',
      replies: 'الأكثر ردودًا',
      author: 'حسب الكاتب',
    },
    links: 'أكثر الروابط مشاركة',
    shared_by: ({ count }: { count: number }) =>
      plural('ar', count, { one: 'شاركه شخص واحد', two: 'شاركه شخصان', few: 'شاركه # أشخاص', other: 'شاركه # شخصًا' }),
    authors: 'الكتّاب',
    done: 'هذا كل شيء. لم يفتك شيء.',
  },
  continue_reading: 'متابعة القراءة من حيث توقفت على جهاز آخر',
  stay_here: 'البقاء هنا',
}
