// The addresses of the web client, as in Mastodon's web app.

/** First segments of addresses that only the client has. `test/checks/client-addresses.test.ts` compares them with it. */
export const CLIENT_SEGMENTS = [
  'annual_report',
  'announcements',
  'appearance',
  'blocks',
  'bookmarks',
  'catch-up',
  'conversations',
  'deck',
  'directory',
  'domain_blocks',
  'drafts',
  'endorsements',
  'explore',
  'favourites',
  'filters',
  'follow_requests',
  'followed_tags',
  'getting-started',
  'home',
  'keyboard-shortcuts',
  'links',
  'lists',
  'mutes',
  'notifications',
  'pinned',
  'profile',
  'public',
  'publish',
  'scheduled_statuses',
  'search',
  'share',
  'start',
  'statuses',
  'timelines',
] as const

/** Addresses that have a page of the server, too. Feeds and the page that other sites embed are not among them. */
const PAGE = /^\/(?:@(?!.*\/embed\/?$)|tags\/[^/]+\/?$|collections(?:\/|$)|$)/
const ONLY = new RegExp(`^/(?:${CLIENT_SEGMENTS.join('|')})(?:/|$)`)

/** Whether the web client has a screen at a path, or says that there is none. */
export const isClientPath = (path: string): boolean => !path.endsWith('.rss') && (PAGE.test(path) || ONLY.test(path))
