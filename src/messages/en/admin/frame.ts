import { groupedNumber, plural } from '../../plural.ts'
import type { Translated } from '../pages.ts'

type Count = { count: number }
type Progress = { done: number; total: number }
type Label = { label: string }

const number = (count: number): string => groupedNumber('en', count)

/** The menu of the administration, and what its pages have in common. */
export const enAdminFrame = {
  groups: {
    overview: 'Overview',
    moderation: 'Moderation',
    registration: 'Joining',
    federation: 'Federation',
    discovery: 'Discovery',
    content: 'Content',
    server: 'Server',
  },
  pages: {
    dashboard: { label: 'Dashboard', about: 'What happens on the server' },
    reports: { label: 'Reports', about: 'What people ask you to look at' },
    accounts: { label: 'Accounts', about: 'Find, warn, limit and suspend accounts' },
    pending_accounts: { label: 'Pending registrations', about: 'People who wait to be let in' },
    appeals: { label: 'Appeals', about: 'Objections to what moderators decided' },
    warning_presets: { label: 'Warning templates', about: 'Texts for warnings that you send often' },
    invites: { label: 'Invitations', about: 'Links with which people can sign up' },
    email_domain_blocks: { label: 'E-mail rules', about: 'E-mail providers and addresses that cannot sign up' },
    ip_blocks: { label: 'IP rules', about: 'Networks that cannot sign up or sign in' },
    username_blocks: { label: 'Blocked user names', about: 'Names that no one can choose' },
    roles: { label: 'Roles', about: 'Who may do what' },
    terms_of_service: { label: 'Terms of service', about: 'Versions, their dates, and the mail about them' },
    instances: { label: 'Known servers', about: 'Software, accounts, deliveries and failures' },
    domain_blocks: { label: 'Blocked servers', about: 'Servers that you limit or block' },
    domain_allows: { label: 'Allowed servers', about: 'Servers to federate with in limited mode' },
    block_lists: { label: 'Block lists', about: 'Lists of servers that you follow' },
    relays: { label: 'Relays', about: 'Servers that pass on public posts' },
    trends: { label: 'Trends', about: 'Posts, hashtags and links that many people share' },
    tags: { label: 'Hashtags', about: 'Which hashtags may be found, listed and used' },
    follow_recommendations: { label: 'Follow recommendations', about: 'Accounts that are suggested to newcomers' },
    announcements: { label: 'Announcements', about: 'Messages to everyone on the server' },
    custom_emojis: { label: 'Custom emojis', about: 'Upload, copy, sort and hide emojis' },
    rules: { label: 'Server rules', about: 'What holds here, in each language' },
    settings: { label: 'Server settings', about: 'Name, registration, discovery, retention, appearance' },
    webhooks: { label: 'Webhooks', about: 'Tell other programs what happens here' },
    audit_log: { label: 'Audit log', about: 'What staff did, and when' },
    jobs: { label: 'Background jobs', about: 'What the server has to do, and what failed' },
  },
  title: 'Administration',
  all: 'All pages of the administration',
  nothing_allowed: 'Your role gives access to no page here.',
  select: 'Select',
  all_on_page: 'All on this page',
  nothing_selected: 'Select at least one entry.',
  with_selected: 'With the selected entries',
  filter: 'Filter',
  no_filter: 'Remove filters',
  any: 'All',
  pages_label: 'More entries',
  newer: 'Newer',
  older: 'Older',
  previous: 'Previous page',
  next: 'Next page',
  actions: 'Actions',
  cancel: 'Cancel',
  would_happen: 'What this would do',
  nothing_would_happen: 'Nothing would change.',
  command_line: 'Command line',
  gone: 'Deleted account',
  show_table: 'Show as a table',
  no_data: 'No data yet.',
  period: 'Period',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  open_status: 'Open the post',
  private_status: 'Not public',
  no_text: 'Without text',
  waiting: ({ count }: Count) => plural('en', count, { one: '# waiting', other: '# waiting' }, groupedNumber),
  all_matching: ({ count }: Count) =>
    plural('en', count, { one: 'The one entry that matches', other: 'All # entries that match' }, groupedNumber),
  progress: ({ done, total }: Progress) => `${number(done)} of ${number(total)}`,
  files: ({ count }: Count) => plural('en', count, { one: '# file', other: '# files' }, groupedNumber),
  select_row: ({ label }: Label) => `Select ${label}`,
}

export type AdminFrameTexts = Translated<typeof enAdminFrame>
