import { plural } from '../plural.ts'

/**
 * The English texts of pages. Every language has a file with the same keys; one that lacks a key does not compile. `{name}` marks
 * where the page inserts markup, such as a link; what is plain text or a number is a parameter.
 */
export const enPages = {
  layout: {
    skip: 'Skip to content',
    site: 'Site',
    about: 'About this server',
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
  sign_in: {
    title: 'Sign in',
    passkey: 'Sign in with a passkey',
    forgotten: 'Forgot your password?',
    no_confirmation: 'Didn’t receive the confirmation e-mail?',
    no_account: 'No account yet? {link}',
    wrong: 'There is no account with this name and password. Check both and try again.',
    notices: {
      signed_out: 'You are signed out.',
      again: 'The second step expired or failed too often. Sign in again.',
      deleted: 'Your account is deleted.',
      new_password: 'Your new password is set. Sign in with it.',
    },
    refusals: {
      unconfirmed:
        'Your e-mail address is not confirmed yet. Follow the link in the e-mail we sent you, or request a new one below.',
      pending: 'Your application to join is still being reviewed. You will receive an e-mail when it is decided.',
      disabled: 'Your account is disabled. Contact the administrators of this server to learn more.',
      suspended: 'Your account is suspended. Contact the administrators of this server to learn more.',
      moved: 'Your account has moved to another server. Sign in there.',
    },
  },
  sign_up: {
    title: 'Sign up',
    join: ({ server }: { server: string }) => `Join ${server}`,
    approval: 'The administrators review each application. You will receive an e-mail when yours is decided.',
    username_hint: 'Letters, numbers and underscores. You cannot change it later.',
    email_hint: 'It is not shown to others. We send it a link to confirm the address.',
    date_of_birth: 'Date of birth',
    date_of_birth_hint: ({ years }: { years: number }) =>
      `You must be at least ${years} years old. The date is not stored.`,
    reason: 'Why do you want to join?',
    rules: 'Server rules',
    agree_with_rules: 'I will follow these rules, and I agree to the privacy policy',
    agree: 'I agree to the rules and the privacy policy of this server',
    read_about: 'Read {about}.',
    read_about_and_policy: 'Read {about} and {policy}.',
    about: 'about this server',
    policy: 'its privacy policy',
    have_account: 'Already have an account? {link}',
    closed: 'Sign-up is closed',
    closed_text: ({ server }: { server: string }) => `${server} does not accept new members at the moment.`,
    follow_from_elsewhere: 'You can follow people here from any other server that supports ActivityPub.',
    check_mail: 'Check your e-mail',
    link_sent: 'We have sent you a link. Follow it to confirm your e-mail address.',
    then_review: 'The administrators then review your application. You will receive an e-mail when it is decided.',
    no_mail_server:
      'No mail server is configured. The administrator finds the e-mail in the log and in the folder {folder} of the data directory.',
    nothing_arrived: 'Nothing arrived? Check your spam folder, or {retry}.',
    retry: 'request another e-mail',
  },
  consent: {
    title: ({ app }: { app: string }) => `Authorise ${app}`,
    heading: ({ app }: { app: string }) => `Authorise ${app}?`,
    may: 'If you authorise it, the application may do the following as {account}:',
    then_code: 'You will then see a code to copy into the application.',
    then_sent: 'You will then be sent to {place}.',
    caution: 'The application never sees your password. Authorise it only if you started this yourself.',
    approve: 'Authorise',
    deny: 'Deny',
    not_you: ({ username }: { username: string }) => `Not @${username}?`,
    other_account: 'Sign in with another account',
  },
  authorization: {
    back_title: 'Return to the application',
    back_heading: 'One more step',
    back_button: 'Return to the application',
    error_heading: 'This application cannot be authorised',
    error_lead: 'The application sent a request that this server cannot accept. It was not given access.',
    error_help: 'Try again from the application. If it keeps happening, report this error to its developers: {code}',
    code_title: 'Authorisation code',
    code_heading: 'Your authorisation code',
    code_lead: 'Copy this code and paste it into the application.',
    code_caution: 'It works once, within ten minutes. Do not share it.',
  },
  authorized_applications: {
    title: 'Authorised applications',
    none: 'You have not authorised any applications.',
    used: 'Authorised {since}, last used {used}. It may:',
    unused: 'Authorised {since}, not used yet. It may:',
    revoke: 'Revoke',
  },
  scopes: {
    profile: { title: 'Know who you are', detail: 'See your name, handle and avatar, nothing else.' },
    read: {
      title: 'Read everything',
      detail: 'See all that you see: posts, private mentions, notifications, lists, bookmarks and settings.',
    },
    write: {
      title: 'Act in your name',
      detail: 'Post, reply, follow, favourite, change your profile and delete your posts.',
    },
    follow: { title: 'Manage your relationships', detail: 'See and change your follows, mutes and blocks.' },
    push: { title: 'Send you push notifications', detail: 'Receive your notifications even when it is not running.' },
    crypto: { title: 'Use end-to-end encryption', detail: 'Register a device for encrypted messages.' },
    'admin:read': {
      title: 'Read all moderation data of this server',
      detail: 'See what moderators and administrators see, including e-mail addresses.',
    },
    'admin:write': {
      title: 'Moderate and administer this server',
      detail: 'Suspend accounts, resolve reports, change rules and settings.',
    },
    read_one: { title: ({ noun }: { noun: string }) => `See your ${noun}`, detail: 'Read only.' },
    write_one: {
      title: ({ noun }: { noun: string }) => `Change your ${noun}`,
      detail: 'Add, change and remove them in your name.',
    },
    admin_read_one: {
      title: ({ noun }: { noun: string }) => `See as a moderator: ${noun}`,
      detail: 'Read what only moderators see.',
    },
    admin_write_one: {
      title: ({ noun }: { noun: string }) => `Moderate: ${noun}`,
      detail: 'Make decisions for the whole server.',
    },
    nouns: {
      accounts: 'accounts and profiles',
      blocks: 'blocks',
      bookmarks: 'bookmarks',
      collections: 'collections',
      conversations: 'conversations',
      favourites: 'favourites',
      filters: 'filters',
      follows: 'follows',
      lists: 'lists',
      media: 'images and other media',
      mutes: 'mutes',
      notifications: 'notifications',
      reports: 'reports',
      search: 'searches',
      statuses: 'posts',
      domain_allows: 'allowed domains',
      domain_blocks: 'blocked domains',
      ip_blocks: 'blocked IP addresses',
      email_domain_blocks: 'blocked e-mail providers',
      canonical_email_blocks: 'blocked e-mail addresses',
    },
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
  about: {
    title: 'About this server',
    privacy_policy: 'Privacy policy',
    closed: 'This server does not accept new members at the moment.',
    approval: 'The administrators review new accounts before they are opened.',
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
  errors: {
    400: { title: 'Bad request', text: 'Something in the address or the form is not valid. Go back and try again.' },
    401: { title: 'Please sign in first', text: 'This page is for people who are signed in.' },
    403: { title: 'Access denied', text: 'Your account has no access to this page.' },
    404: {
      title: 'Page not found',
      text: 'The page may have been deleted, you may not have access to it, or the address contains a typing error.',
    },
    405: { title: 'Method not allowed', text: 'This address cannot be used in this way. Go back and try again.' },
    410: { title: 'Page deleted', text: 'This page existed once and was permanently removed.' },
    413: { title: 'Too large', text: 'You sent more than this server accepts.' },
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

/** The texts of pages in one language. */
export type PageTexts = Translated<typeof enPages>
