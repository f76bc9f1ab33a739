import { plural } from '../../plural.ts'

export const enClientTimelines = {
  new_posts: ({ count }: { count: number }) => plural('en', count, { one: '# new post', other: '# new posts' }),
  load_gap: 'Load missing posts',
  end: 'You have reached the end.',
  empty: 'There are no posts here yet.',
  home_empty: 'Your home timeline is empty. Follow people to fill it.',
  find_people: 'Find people to follow',
  bookmarks_empty: 'You have no bookmarks yet. Only you see what you bookmark.',
  favourites_empty: 'You have no favourites yet.',
  list_empty: 'There is nothing in this list yet. New posts of its members appear here.',
  edit_list: 'Edit list',
  link_posts: 'Posts with this link',
  follow_tag: 'Follow hashtag',
  unfollow_tag: 'Unfollow hashtag',
  feature_tag: 'Feature on profile',
  unfeature_tag: 'Do not feature on profile',
  tag_usage: ({ posts, people }: { posts: string; people: string }) =>
    `${posts} posts this week, by up to ${people} people a day`,
}

export type ClientTimelinesTexts = typeof enClientTimelines
