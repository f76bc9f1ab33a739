import { plural } from '../plural.ts'

/**
 * The English texts of pages. Every language has a file with the same keys; one that lacks a key does not compile. `{name}` marks
 * where the page inserts markup, such as a link; what is plain text or a number is a parameter.
 */
export const enPages = {
  client: {
    without_script: 'This page works without JavaScript, too',
    open: 'Open the web app',
    compose: 'New post',
    notifications: 'Notifications',
    search: 'Search',
  },
  layout: {
    skip: 'Skip to content',
    site: 'Site',
    about: 'About this server',
    terms: 'Terms of service',
    powered_by: 'Powered by {software}',
    sign_in: 'Sign in',
    sign_up: 'Sign up',
    sign_out: 'Sign out',
    members_only: 'This page is for members of this server',
  },
  form: {
    optional: '(optional)',
    problems: ({ count }: { count: number }) =>
      plural('en', count, { one: 'There is a problem', other: 'There are problems' }),
    email: 'E-mail address',
    password: 'Password',
    username: 'Username',
    login: 'E-mail address or username',
    min_characters: ({ count }: { count: number }) =>
      plural('en', count, { one: 'At least # character.', other: 'At least # characters.' }),
    save: 'Save',
  },
  home: {
    is_new:
      'This server is new and has no owner yet. If it is yours, open the set-up link that it printed when it started.',
    explanation:
      'People here write short posts and talk about them. This server is part of a network: you can follow people on Mastodon and everything else that supports ActivityPub, and they can follow you.',
    more: 'More about this server',
    hello: ({ username }: { username: string }) => `Hello, ${username}`,
    signed_in:
      'You are signed in. Your address on the network is {handle}: share it with people who want to follow you.',
    your_profile: 'Your profile',
    settings: 'Settings',
  },
  terms: {
    title: 'Terms of service',
    none: 'This server has no terms of service.',
    since: 'In effect since {date}.',
    from: 'These terms apply from {date} on.',
    until: 'On {date}, they are replaced by {link}.',
    new_version: 'a new version',
    other_versions: 'Other versions',
  },
  about: {
    title: 'About this server',
    privacy_policy: 'Privacy policy',
    closed: 'This server does not accept new members at the moment.',
    approval: 'The moderators review new accounts before they are opened.',
    create_account: 'Create an account',
    apps: 'Use it with any Mastodon app',
    apps_choice:
      'There are many apps for phones, computers and browsers: see {link}. When the app asks for your server, enter',
    apps_sign_in: 'The app then sends you here to sign in. It never sees your password.',
    rules: 'Server rules',
    contact: 'Contact',
    people: 'People',
    posts: 'Posts',
    servers: 'Known servers',
    moderated: 'Moderated servers',
    moderated_hint:
      'Posts from limited servers are shown only to the followers of their authors. Blocked servers exchange nothing with this one.',
    server: 'Server',
    state: 'State',
    reason: 'Reason',
    blocked: 'Blocked',
    limited: 'Limited',
    software: 'The software',
    licence: ({ version }: { version: string }) =>
      `This server runs Rookery ${version}, free software under the GNU Affero General Public License.`,
    source: 'Its {link} is open to everyone.',
    source_link: 'source code',
    policy_link: 'Privacy policy of this server',
  },
  profile: {
    label: 'Profile',
    posts: 'Posts',
    with_replies: 'Posts and replies',
    media: 'Media',
    tagged: ({ tag }: { tag: string }) => `Posts with ${tag}`,
    list_of: ({ list, name }: { list: string; name: string }) => `${list}: ${name}`,
    post_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} post', other: '{number} posts' }),
    following_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} following', other: '{number} following' }),
    follower_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} follower', other: '{number} followers' }),
    followers: 'Followers',
    following: 'Following',
    hidden_network: 'This account does not show its followers and the accounts that it follows.',
    first: 'First page',
    more: 'More',
    joined: 'Joined {date}',
    moved: 'This account has moved to {account}.',
    follow: 'Follow',
    follow_from_own_server: 'To follow from your own server, search there for {handle}',
    bot: 'Automated',
    group: 'Group',
    locked: 'Approves follow requests',
    memorial: 'In memoriam',
    feed: ({ handle }: { handle: string }) => `Public posts from ${handle}`,
  },
  posts: {
    none: 'Nothing to see here yet.',
    pages: 'Pages',
    newest: 'Newest posts',
    older: 'Older posts',
    title: ({ name }: { name: string }) => `Post by ${name}`,
    label: ({ name, date }: { name: string; date: string }) => `Post by ${name}, ${date}`,
    boosted: '{name} boosted',
    pinned: 'Pinned post',
    thread: 'Continues a thread',
    in_reply_to: ({ handle }: { handle: string }) => `In reply to ${handle}`,
    reply: 'A reply',
    followers_only: 'Followers only',
    private_mention: 'Private mention',
    content_warning: 'Content warning:',
    reply_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} reply', other: '{number} replies' }),
    boost_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} boost', other: '{number} boosts' }),
    favourite_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '{number} favourite', other: '{number} favourites' }),
    edited: 'Edited {when}',
    now: 'now',
    just_now: 'just now',
    on_server: ({ server }: { server: string }) => `See it on ${server}`,
    from_own_server: 'To reply, boost or favourite from your own server, search there for {address}',
    attached: ({ count }: { count: number }) =>
      plural('en', count, { one: '# attached file', other: '# attached files' }),
    link_by: 'By {names}',
    quote_pending: 'The quoted post will be shown here once its author approves the quote.',
    quote_unavailable: 'The quoted post cannot be shown.',
    voters: ({ count }: { count: number }) => plural('en', count, { one: '# person voted', other: '# people voted' }),
    poll_open: 'open',
    poll_closed: 'closed',
  },
  media: {
    sensitive: 'Sensitive content',
    image: 'Image without alt text',
    gifv: 'Animation without alt text',
    video: 'Video without alt text',
    audio: 'Audio without alt text',
    unknown: 'Attached file',
  },
  tag: {
    description: ({ tag }: { tag: string }) => `Public posts with the hashtag ${tag}`,
    members_only: ({ tag }: { tag: string }) =>
      `On this server, posts with a hashtag are for members: search for ${tag} in your app.`,
  },
  collection: {
    title: ({ name, owner }: { name: string; owner: string }) => `${name}, by ${owner}`,
    by: 'A collection by {owner}',
    sensitive: 'This collection is marked as sensitive.',
    empty: 'This collection has no accounts.',
  },
  interaction: {
    done: {
      follow: 'Done. Their posts appear in your home timeline as soon as their server accepts.',
      favourite: 'This post is now among your favourites.',
      boost: 'You have boosted this post.',
    },
    you: 'This is you.',
    blocking: 'You block {name}.',
    following: 'You follow {name}.',
    requested: 'You have asked to follow {name}.',
    follow: ({ name }: { name: string }) => `Follow ${name}`,
    favourite: 'Favourite',
    boost: 'Boost',
    reply: 'To reply, search for the address of this post in your app.',
    original: 'Open the original page',
    not_found: 'Not found',
    no_address: 'The address of an account or a post is missing.',
    nothing_at:
      'There is no account or post at {address}. Its server may be unavailable, or you may have no access to it.',
  },
  errors: {
    400: { title: 'Bad request', text: 'Something in the address or the form is not valid. Go back and try again.' },
    401: { title: 'Please sign in first', text: 'This page is for people who are signed in.' },
    403: { title: 'Access denied', text: 'Your account has no access to this page.' },
    404: {
      title: 'Page not found',
      text: 'The page may have been deleted, you may not have access to it, or the address contains a typing error.',
    },
    405: { title: 'Method not allowed', text: 'This address cannot be used in this way. Go back and try again.' },
    410: { title: 'Page no longer available', text: 'This page existed once and was permanently removed.' },
    413: { title: 'Too large', text: 'You sent more than this server accepts. Go back and choose a smaller file.' },
    422: { title: 'This is not possible', text: 'The server understood the request but cannot carry it out.' },
    429: {
      title: 'Too many requests',
      text: 'You sent too many requests in a short time. Try again in a few minutes.',
    },
    500: { title: 'Something went wrong', text: 'The error was written to the log. Try again later.' },
    503: {
      title: 'Temporarily unavailable',
      text: 'The server is busy or under maintenance. Wait a moment, then reload the page.',
    },
    start_page: 'Go to the start page',
  },
}

/** The shape of the English texts with other texts in it: a language that lacks a key does not compile. */
export type Translated<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends (...args: never) => string ? T[K] : Translated<T[K]>
}

export type PageTexts = Translated<typeof enPages>
