import { groupedNumber, plural } from '../plural.ts'
import type { Translated } from './pages.ts'

/** The pages on which users see what moderators decided, and the follows that they lost. */
export const enDisputes = {
  strikes: {
    title: 'Moderation history',
    lead: 'What the moderators of this server decided about your account. You can appeal within 20 days.',
    empty: 'The moderators have never had to write to you.',
    disabled: 'Your account is frozen: you cannot use it. Below is what happened.',
    suspended:
      'Your account is suspended: it is hidden from everyone, and on {date} its data will be deleted. Below is what happened.',
    gone: 'Your account is suspended. Below is what happened.',
    sign_out: 'Sign out',
    back: 'The whole moderation history',
    reason: 'What the moderators write',
    no_reason: 'The moderators gave no reason.',
    posts: 'Posts concerned',
    removed: 'The posts are gone.',
    collections: 'Collections concerned',
    collections_removed: 'The collections are gone.',
    overruled: 'No longer applies',
    appeal: 'Appeal',
    appeal_text: 'Why do you think that this is a mistake?',
    appeal_hint: 'The moderators read it and answer by e-mail. You can appeal once.',
    send: 'Send the appeal',
    until: 'You can appeal until {date}.',
    too_late: 'The 20 days in which you could appeal are over.',
    yours: 'Your appeal of {date}',
    sent: 'Your appeal is sent. You will get an e-mail when the moderators have decided.',
    count: ({ count }: { count: number }) => plural('en', count, { one: '# post', other: '# posts' }, groupedNumber),
    collection_count: ({ count }: { count: number }) =>
      plural('en', count, { one: '# collection', other: '# collections' }, groupedNumber),
    states: {
      pending: 'Waits for a decision',
      approved: 'Accepted',
      rejected: 'Rejected',
    },
    actions: {
      none: 'Warning',
      disable: 'Account frozen',
      mark_statuses_as_sensitive: 'Content marked as sensitive',
      delete_statuses: 'Content removed',
      sensitive: 'Media always marked as sensitive',
      silence: 'Account limited',
      suspend: 'Account suspended',
    },
  },
  severed: {
    title: 'Severed relationships',
    lead: 'Follows that ended because a server was blocked or an account was suspended. For 30 days you can download the lists of these accounts.',
    empty: 'You have lost no follows this way.',
    domain_block: 'The administrators blocked {name}',
    user_domain_block: 'You blocked {name}',
    account_suspension: 'The moderators suspended {name}',
    download_followers: 'Download the lost followers',
    download_following: 'Download the lost follows',
    purged: 'The lists are no longer stored.',
    followers: ({ count }: { count: number }) =>
      plural('en', count, { one: '# follower', other: '# followers' }, groupedNumber),
    following: ({ count }: { count: number }) =>
      plural('en', count, { one: '# account that you followed', other: '# accounts that you followed' }, groupedNumber),
  },
}

export type DisputeTexts = Translated<typeof enDisputes>
