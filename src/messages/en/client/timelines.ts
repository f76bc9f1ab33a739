import { groupedNumber, plural } from '../../plural.ts'

export const enClientTimelines = {
  new_posts: ({ count }: { count: number }) => plural('en', count, { one: '# new post', other: '# new posts' }),
  refreshed: 'Up to date',
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
  posts_this_week: ({ count }: { count: number }) =>
    plural('en', count, { one: '# post this week', other: '# posts this week' }, groupedNumber),
  catch_up: {
    explanation: 'See what happened in your home timeline while you were away, without scrolling through all of it.',
    last_hours: ({ count }: { count: number }) =>
      plural('en', count, { one: 'The last hour', other: 'The last # hours' }),
    start: 'Catch up',
    progress: ({ posts, time }: { posts: string; time: string }) => `${posts} posts so far, back to ${time}…`,
    nothing: ({ count }: { count: number }) =>
      plural('en', count, { one: 'Nothing new in the last hour.', other: 'Nothing new in the last # hours.' }),
    show: 'Show',
    all: 'All',
    kinds: { posts: 'Posts', replies: 'Replies', boosts: 'Boosts', media: 'Media' },
    order: 'Order',
    orders: {
      newest: 'Newest first',
      oldest: 'Oldest first',
      favourites: 'Most favourites',
      boosts: 'Most boosts',
      replies: 'Most replies',
      author: 'By author',
    },
    links: 'Top links',
    shared_by: ({ count }: { count: number }) =>
      plural('en', count, { one: 'shared by # person', other: 'shared by # people' }),
    authors: 'Authors',
    done: 'That is all. You are up to date.',
  },
  continue_reading: 'Continue where you left off on another device',
  stay_here: 'Stay here',
  first_steps: 'First steps',
  hide_first_steps: 'Hide the first steps',
  step_done: 'Done',
  step_profile: 'Introduce yourself',
  step_profile_hint: 'With an avatar and a few words about you, people know who follows them.',
  step_post: 'Write your first post',
  step_post_hint: 'Many say hello with the hashtag #introduction, so that others find them.',
  step_follow: 'Follow people',
  step_follow_hint:
    'Search for a whole handle, such as @name@example.org: people of other servers come to your home timeline, too.',
  step_suggestions: 'See suggestions',
  step_import: 'Coming from another server?',
  step_import_hint: 'Bring the people you follow, lists and blocks with you.',
  federated_empty:
    'There are no posts here yet. Posts of other servers arrive as soon as anyone here follows people there.',
  boost_run: ({ count }: { count: number }) => plural('en', count, { one: '# boost', other: '# boosts' }),
  previous_boosts: 'Previous boosts',
  next_boosts: 'Next boosts',
}

export type ClientTimelinesTexts = typeof enClientTimelines
