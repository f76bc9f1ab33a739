import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const arClientExplore: ClientExploreTexts = {
  posts: 'المنشورات',
  tags: 'الوسوم',
  links: 'الأخبار',
  people: 'أشخاص',
  empty: 'لا توجد اتجاهات حاليًا. عد لاحقًا.',
  people_days: ({ people }: { people: string }) => `حتى ${people} أشخاص يوميًا`,
  link_posts: ({ people }: { people: string }) => `منشورات من ${people} أشخاص يوميًا كحد أقصى`,
}
