import type { Translated } from './pages.ts'
import { plural } from '../plural.ts'

/** The English texts of the commands for administrators. A command prints how many things it did something to. */
export const enCliOperations = {
  commands: {
    'accounts approve': {
      summary: 'Approve a sign-up that waits, those that wait longest, or all of them',
      options: { number: 'how many, of those that wait longest', 'dry-run': 'only say what would be done' },
    },
    'accounts suspend': {
      summary: 'Suspend an account of this or another server. This can be undone for 30 days',
      options: { text: 'what to tell the account', 'dry-run': 'only say what would be done' },
    },
    'accounts unsuspend': {
      summary: 'Undo the suspension of an account',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts memorialize': {
      summary: 'Make the account of someone who has died a memorial',
      options: { undo: 'make it a usual account again', 'dry-run': 'only say what would be done' },
    },
    'accounts follow': {
      summary: 'Let every account of this server follow an account',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts unfollow': {
      summary: 'Let every account of this server unfollow an account',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts reset-relationships': {
      summary: 'End all follows of an account of this server, remove all its followers, or both',
      options: {
        follows: 'end all its follows',
        followers: 'remove all its followers',
        'dry-run': 'only say what would be done',
      },
    },
    'accounts rotate-keys': {
      summary: 'Give an account a new signing key, or all accounts',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts backup': { summary: "Make the archive of a user's data, which the user can download", options: {} },
    'accounts migrate': {
      summary: 'Move an account of this server to another account, which must name it as an alias',
      options: {
        target: 'account to move to',
        replay: 'send the last move again, for followers on servers that did not carry it out',
      },
    },
    'accounts refresh': {
      summary: 'Fetch accounts of other servers again, by jobs of the server',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts cull': {
      summary: 'Delete accounts of other servers that no longer exist there',
      options: { 'dry-run': 'only say what would be done' },
    },
    'accounts merge': {
      summary:
        'Merge two accounts of other servers that are the same person’s, such as after their server got a new domain. FROM is deleted; posts, followers, lists and blocks of it go to TO',
      options: { force: 'also accounts that never had the same key', 'dry-run': 'only say what would be done' },
    },
    'accounts prune': {
      summary: 'Delete accounts of other servers that no user here interacts with',
      options: {
        days: 'only those not fetched for so many days; 7 unless given',
        'dry-run': 'only say what would be done',
      },
    },
    'domains block': {
      summary: 'Block a server for everyone here',
      options: {
        severity: 'suspend (default), silence or noop',
        'reject-media': 'store no media of it',
        'reject-reports': 'ignore its reports',
        comment: 'why, for staff',
        'public-comment': 'why, for everyone',
        'dry-run': 'only say what would be done',
      },
    },
    'domains unblock': {
      summary: 'End the block of a server',
      options: {
        'restore-follows': 'restore the follows that the block severed',
        'dry-run': 'only say what would be done',
      },
    },
    'domains purge': {
      summary: 'Delete all accounts and posts of servers. This cannot be undone',
      options: { yes: 'confirm the deletion', 'dry-run': 'only say what would be done' },
    },
    'domains stats': { summary: 'List the known servers', options: { limit: 'how many rows; 100 unless given' } },
    'domains crawl': {
      summary: 'Ask all known servers what software they run',
      options: { 'dry-run': 'only say what would be done' },
    },
    'ip-blocks list': {
      summary: 'List the blocked IP addresses and ranges, newest first',
      options: { limit: 'how many rows; 100 unless given' },
    },
    'ip-blocks add': {
      summary: 'Block IP addresses or ranges',
      options: {
        severity: 'sign_up_requires_approval, sign_up_block or no_access (required)',
        comment: 'why, for staff',
        duration: 'how many seconds the block lasts; without it, it has no end',
      },
    },
    'ip-blocks remove': {
      summary: 'End the blocks of IP addresses or ranges',
      options: {
        covering: 'also end the blocks of ranges that contain them',
        'dry-run': 'only say what would be done',
      },
    },
    'ip-blocks export': {
      summary: 'Print the addresses and ranges that have no access, for a firewall or a proxy',
      options: { format: 'plain (default) or nginx' },
    },
    'email-domain-blocks list': {
      summary: 'List the e-mail domains that cannot sign up, newest first',
      options: { limit: 'how many rows; 100 unless given' },
    },
    'email-domain-blocks add': {
      summary: 'Refuse sign-ups with e-mail addresses of domains',
      options: {
        'allow-with-approval': 'let staff approve such sign-ups, in place of refusing them',
        'with-dns-records': 'also block the mail servers of the domains, and their addresses',
      },
    },
    'email-domain-blocks remove': {
      summary: 'End the blocks of e-mail domains and of the mail servers that were blocked with them',
      options: { 'dry-run': 'only say what would be done' },
    },
    'canonical-email-blocks find': {
      summary: 'Show whether an e-mail address is blocked from signing up, in whatever spelling',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'End the block of an e-mail address',
      options: { 'dry-run': 'only say what would be done' },
    },
    'media remove': {
      summary: 'Delete unused copies of remote media. They are fetched again when needed',
      options: {
        days: 'only those unused for so many days; 7 unless given',
        'keep-interacted': 'leave those in posts that users here favourited, bookmarked, boosted, answered or quoted',
        'dry-run': 'only say what would be done',
      },
    },
    'media usage': { summary: 'Show how much room media take', options: {} },
    'media refresh': {
      summary: 'Fetch the images of accounts of other servers again',
      options: { 'dry-run': 'only say what would be done' },
    },
    'media remove-orphans': {
      summary: 'Delete files that nothing in the database names',
      options: { 'dry-run': 'only say what would be done' },
    },
    'media lookup': {
      summary: 'Show which post, account or emoji a file belongs to, by its address here or on its own server',
      options: {},
    },
    'feeds build': {
      summary: 'Rebuild the home feed of an account, or all of them',
      options: { 'dry-run': 'only say what would be done' },
    },
    'feeds clear': {
      summary: 'Delete all home feeds. They are rebuilt when their owners read them',
      options: { 'dry-run': 'only say what would be done' },
    },
    'search deploy': { summary: 'Rebuild the search index while the server runs', options: {} },
    'statuses remove': {
      summary:
        'Delete posts of other servers that no user here interacted with. Posts of accounts that users here follow stay',
      options: {
        days: 'only those older than so many days; 90 unless given',
        'clean-followed': 'delete posts of followed accounts too',
        'dry-run': 'only say what would be done',
      },
    },
    'settings registrations': { summary: 'Open or close sign-ups, or let staff approve them', options: {} },
    'cache clear': { summary: 'Delete stored translations, and let running servers read settings again', options: {} },
    'cache recount': { summary: 'Recount posts, followers and reactions, and correct wrong figures', options: {} },
    'maintenance reindex': {
      summary: 'Rebuild all indexes of the database while the server runs',
      options: { 'dry-run': 'only say what would be done' },
    },
    'self-destruct': {
      summary: 'Delete all accounts of this server and tell all other servers. This cannot be undone',
      options: {
        confirm: 'the domain of this server; asked for unless given',
        'dry-run': 'only say what would be done',
      },
    },
    statistics: { summary: 'Show figures of this server', options: {} },
  },
  done: ({ what }: { what: string }) => `Done: ${what}.`,
  nothing_changed: 'Nothing was changed.',
  would: ({ what }: { what: string }) => `Would affect ${what}. Nothing was changed.`,
  /** What `done` and `would` count. */
  units: {
    accounts: ({ count }: { count: number }) => plural('en', count, { one: '# account', other: '# accounts' }),
    blocks: ({ count }: { count: number }) => plural('en', count, { one: '# block', other: '# blocks' }),
    corrections: ({ count }: { count: number }) => plural('en', count, { one: '# correction', other: '# corrections' }),
    emojis: ({ count }: { count: number }) => plural('en', count, { one: '# emoji', other: '# emojis' }),
    feeds: ({ count }: { count: number }) => plural('en', count, { one: '# home feed', other: '# home feeds' }),
    files: ({ count }: { count: number }) => plural('en', count, { one: '# file', other: '# files' }),
    follows: ({ count }: { count: number }) => plural('en', count, { one: '# follow', other: '# follows' }),
    posts: ({ count }: { count: number }) => plural('en', count, { one: '# post', other: '# posts' }),
    rows: ({ count }: { count: number }) => plural('en', count, { one: '# row', other: '# rows' }),
    servers: ({ count }: { count: number }) => plural('en', count, { one: '# server', other: '# servers' }),
    tables: ({ count }: { count: number }) => plural('en', count, { one: '# table', other: '# tables' }),
    translations: ({ count }: { count: number }) =>
      plural('en', count, { one: '# translation', other: '# translations' }),
  },
  progress: ({ done, total }: { done: number; total: number }) => `${done} of ${total}`,
  so_far: ({ count }: { count: number }) => `${count} so far`,
  no_domain: ({ text }: { text: string }) => `${text} is not a domain such as example.org`,
  not_remote_account: ({ text }: { text: string }) => `“${text}” is no account of another server.`,
  same_account: 'These are one account.',
  other_key: 'The accounts have no key in common: check that they are the same person’s, and use --force.',
  not_remote: ({ text }: { text: string }) =>
    `${text} names no account of another server. Give one with its server, such as ada@example.org, or a domain, or all.`,
  unreachable: ({ domains }: { domains: string }) => `These servers did not answer: ${domains}`,
  block_effects: ({
    accounts,
    statuses,
    following,
    followers,
  }: {
    accounts: number
    statuses: number
    following: number
    followers: number
  }) =>
    `Accounts: ${accounts}. Posts: ${statuses}. Follows lost: ${following} of people here, ${followers} of people there.`,
  reindex_at_work: 'The indexes are being rebuilt already by another run of this command.',
  suspended_already: ({ name }: { name: string }) => `${name} is suspended already.`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} is blocked already.`,
  not_pending: ({ username }: { username: string }) => `@${username} does not wait for approval.`,
  unknown_server: ({ domain }: { domain: string }) => `${domain} is not known here. See: rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} is not blocked.`,
  skipped: {
    blocked: ({ names }: { names: string }) => `Blocked already: ${names}`,
    not_blocked: ({ names }: { names: string }) => `Not blocked: ${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} is blocked.`,
  email_of: ({ username }: { username: string }) => `It is the address of @${username}, whose account was suspended.`,
  no_range: ({ text }: { text: string }) => `${text} is not an IP address or range such as 192.0.2.0/24`,
  no_media_address: ({ text }: { text: string }) => `${text} is not the address of a file`,
  unknown_media: ({ text }: { text: string }) => `No post, account or emoji has the file ${text}.`,
  no_budget: 'Copies of remote media have no limit.',
  budget: ({ size }: { size: string }) => `Copies of remote media may take ${size} (media_cache_max_bytes).`,
  self_destruct_effects: ({ accounts, servers }: { accounts: string; servers: string }) =>
    `This deletes ${accounts} with all posts for good, and tells ${servers}.`,
  type_domain: ({ domain }: { domain: string }) => `Type ${domain} to go on:`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `Nothing was done: the domain ${domain} was not typed. Use --confirm ${domain} in scripts.`,
  self_destructed: ({ accounts, servers }: { accounts: string; servers: string }) =>
    `Deleted ${accounts}. Keep the server running until the news has reached ${servers}: see rookery statistics.`,
  registration_columns: {
    range: 'RANGE',
    severity: 'SEVERITY',
    until: 'UNTIL',
    since: 'SINCE',
    comment: 'COMMENT',
    never: 'no end',
    domain: 'DOMAIN',
    sign_ups: 'SIGN-UPS',
    refused: 'refused',
    with_approval: 'with approval',
    mail_server_of: 'MAIL SERVER OF',
  },
  media_owner: {
    kind: 'File',
    kinds: { attachment: 'attachment', avatar: 'avatar', header: 'header', emoji: 'emoji' },
    status: 'Post',
    account: 'Account',
    emoji: 'Emoji',
    page: 'Administration',
  },
  server_columns: {
    domain: 'SERVER',
    software: 'SOFTWARE',
    accounts: 'ACCOUNTS',
    following: 'FOLLOWED',
    followers: 'FOLLOWERS',
    delivered: 'DELIVERED',
    failed: 'FAILED',
  },
  usage_columns: { kind: 'WHAT', files: 'FILES', size: 'SIZE' },
  statistics: {
    users: 'Users',
    active_month: 'Active within 30 days',
    statuses: 'Posts',
    servers: 'Known servers',
    media_cache: 'Copies of remote media',
    jobs_due: 'Jobs due',
    jobs_delayed: 'Jobs for later',
    jobs_failed: 'Jobs that failed',
  },
}

export type CliOperationsTexts = Translated<typeof enCliOperations>
