import { groupedNumber, plural } from '../../plural.ts'
export const enClientExplore = {
  posts: 'Posts',
  tags: 'Hashtags',
  links: 'News',
  people: 'People',
  trending_tags: 'Trending hashtags',
  suggested: 'Suggestions',
  empty: 'Nothing is trending right now. Look again later.',
  recently_active: 'Recently active',
  new_arrivals: 'New arrivals',
  only_local: 'Only accounts of this server',
  no_directory: 'No accounts are listed here.',
  people_days: ({ count }: { count: number }) =>
    plural('en', count, { one: '# person a day', other: 'up to # people a day' }, groupedNumber),
  link_posts: ({ count }: { count: number }) =>
    plural('en', count, { one: 'Posts by # person a day', other: 'Posts by up to # people a day' }, groupedNumber),
}

export type ClientExploreTexts = typeof enClientExplore
