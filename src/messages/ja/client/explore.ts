import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const jaClientExplore: ClientExploreTexts = {
  posts: '投稿',
  tags: 'ハッシュタグ',
  links: 'ニュース',
  people: 'ユーザー',
  empty: '今はトレンドがありません。あとでもう一度ご覧ください。',
  people_days: ({ people }: { people: string }) => `1日最大 ${people} 人`,
  link_posts: ({ people }: { people: string }) => `1日最大 ${people} 人の投稿`,
}
