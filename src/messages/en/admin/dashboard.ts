import { groupedNumber, plural } from '../../plural.ts'
import type { Translated } from '../pages.ts'

export const enAdminDashboard = {
  period: 'Period',
  new_users: 'Sign-ups',
  active_users: 'Active users',
  interactions: 'Interactions',
  opened_reports: 'Reports received',
  resolved_reports: 'Reports resolved',
  waiting: 'Waiting for you',
  nothing_waiting: 'Nothing waits for you.',
  low_disk_space:
    'Only {free} are left on the disk of the data directory. When it is full, nobody can post. {command} shows what media take.',
  no_rules: 'People can sign up, but this server has no rules.',
  sign_ups_chart: 'Sign-ups each day',
  active_users_chart: 'Active users each day',
  interactions_chart: 'Favourites, boosts and replies each day',
  reports_chart: 'Reports each day',
  people: 'People',
  activity: 'Activity',
  retention: 'Who came back',
  retention_hint: 'Of the people who signed up in a month, how many were active in the months after.',
  cohort: 'Signed up in',
  cohort_size: 'People',
  sources: 'Where people sign up',
  website: 'Website',
  languages: 'Languages of active users',
  unknown: 'Unknown',
  servers: 'Servers with the most posts',
  software: 'Software',
  space: 'Disk space',
  database: 'Database',
  media: 'Media',
  media_cache: 'Copies of remote media',
  operation: 'Operation',
  jobs_waiting: 'Jobs that are due',
  jobs_failed: 'Jobs that failed',
  oldest_job: 'Oldest due job',
  peers_failing: 'Servers that fail',
  peers_failing_title: 'Servers that cannot be reached',
  no_peer_fails: 'All servers can be reached.',
  peer: 'Server',
  failing_since: 'Since',
  retry_at: 'Next try',
  last_days: ({ count }: { count: number }) =>
    plural('en', count, { one: 'Last day', other: 'Last # days' }, groupedNumber),
  before: ({ value }: { value: string }) => `${value} in the period before`,
  after_months: ({ count }: { count: number }) =>
    plural('en', count, { one: 'After # month', other: 'After # months' }, groupedNumber),
}

export type AdminDashboardTexts = Translated<typeof enAdminDashboard>
