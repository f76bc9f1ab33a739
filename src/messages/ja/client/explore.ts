import { groupedNumber, plural } from '../../plural.ts'
import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const jaClientExplore: ClientExploreTexts = {
  posts: '投稿',
  tags: 'ハッシュタグ',
  links: 'ニュース',
  people: 'ユーザー',
  trending_tags: 'トレンドのハッシュタグ',
  suggested: 'おすすめ',
  empty: '今はトレンドがありません。あとでもう一度ご覧ください。',
  recently_active: '最近活動した順',
  new_arrivals: '新しい順',
  only_local: 'このサーバーのアカウントのみ',
  no_directory: '掲載されているアカウントはありません。',
  people_days: ({ count }: { count: number }) => plural('ja', count, { other: '1日最大#人' }, groupedNumber),
  link_posts: ({ count }: { count: number }) => plural('ja', count, { other: '1日最大#人の投稿' }, groupedNumber),
}
