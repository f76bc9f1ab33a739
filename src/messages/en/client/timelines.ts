import { plural } from '../../plural.ts'

export const enClientTimelines = {
  new_posts: ({ count }: { count: number }) => plural('en', count, { one: '# new post', other: '# new posts' }),
  load_gap: 'Load missing posts',
  end: 'You have reached the end.',
  empty: 'There are no posts here yet.',
  home_empty: 'Your home timeline is empty. Follow people to fill it.',
}

export type ClientTimelinesTexts = typeof enClientTimelines
