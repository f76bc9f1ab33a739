import { postLines, type MailedPost } from '../mailed-posts.ts'

type Letter = { subject: string; lines: readonly (string | null)[] }
type About = { server: string; username: string }
type WarningKind =
  | 'none'
  | 'disable'
  | 'mark_statuses_as_sensitive'
  | 'delete_statuses'
  | 'sensitive'
  | 'silence'
  | 'suspend'
type FactorChange = 'app_added' | 'app_removed' | 'passkey_added' | 'passkey_removed' | 'new_codes' | 'turned_off'

const MAILED_POST = {
  image: 'Image',
  gifv: 'Animation',
  video: 'Video',
  audio: 'Audio',
  unknown: 'Attachment',
  warning: 'Content warning',
  sensitive: 'sensitive',
  poll: 'Poll',
}

/** Null where it is not known. */
export type Attempt = { ip: string | null; device: string | null; time: string }

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `IP address: ${ip}`,
  device && `Browser: ${device}`,
  `Time: ${time}`,
]

/** In plain text. A line that is null is left out. */
export const enMails = {
  confirmation: ({
    server,
    username,
    link,
    app,
    approved,
  }: About & { link: string; app: string | null; approved: boolean }): Letter => ({
    subject: `Confirm your e-mail address for ${server}`,
    lines: [
      `Welcome to ${server}, @${username}!`,
      'Follow this link to confirm that this is your e-mail address:',
      link,
      app === null ? null : `Afterwards you can continue in ${app}.`,
      approved
        ? null
        : 'The moderators of this server review each application. You will hear from them after you have confirmed your address.',
      'The link works for seven days. If you did not sign up, ignore this e-mail: without the link the account stays unused.',
    ],
  }),
  /** `handle`: with the domain of the server. `domain`: what apps ask for. */
  welcome: ({
    server,
    username,
    handle,
    domain,
    profileLink,
    exploreLink,
  }: About & { handle: string; domain: string; profileLink: string; exploreLink: string }): Letter => ({
    subject: `Welcome to ${server}`,
    lines: [
      `Welcome to ${server}, @${username}! ${server} is part of a network of many servers. People on all of them can follow you under this address:`,
      handle,
      'Tell others who you are:',
      profileLink,
      'Find people and hashtags to follow. Their posts appear in your home timeline:',
      exploreLink,
      'You can also use an app for Mastodon. When it asks for your server, enter:',
      domain,
    ],
  }),
  new_address: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Confirm your new e-mail address for ${server}`,
    lines: [
      `@${username} wants to use this address on ${server} from now on. Follow this link to confirm it:`,
      link,
      'The link works for seven days. If this is not you, ignore this e-mail: nothing changes without the link.',
    ],
  }),
  announcement: ({ server, announcement }: About & { announcement: string }): Letter => ({
    subject: `An announcement from ${server}`,
    lines: [`The administrators of ${server} announce:`, announcement],
  }),
  address_changed: ({ server, username, newAddress }: About & { newAddress: string }): Letter => ({
    subject: `Your e-mail address on ${server} was changed`,
    lines: [
      `The account @${username} now uses the address ${newAddress}. E-mails no longer go to this one.`,
      'If you did not change it, write to the administrators of the server at once.',
    ],
  }),
  password_reset: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Choose a new password for ${server}`,
    lines: [
      `A new password was requested for @${username} on ${server}. Follow this link to choose one:`,
      link,
      'The link works for six hours. If you did not request it, ignore this e-mail: your password stays as it is.',
    ],
  }),
  password_changed: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Your password on ${server} was changed`,
    lines: [
      `The password of @${username} was changed just now.`,
      'If you did not change it, write to the administrators of the server, and request a new password here:',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }: About & { change: FactorChange; link: string }): Letter => ({
    subject: `Two-factor authentication on ${server} was changed`,
    lines: [
      {
        app_added: `An authenticator app was added to @${username}.`,
        app_removed: `The authenticator app of @${username} was removed.`,
        passkey_added: `A passkey was added to @${username}.`,
        passkey_removed: `A passkey of @${username} was removed.`,
        new_codes: `New recovery codes were made for @${username}. The old ones no longer work.`,
        turned_off: `The administrators of the server turned two-factor authentication off for @${username}.`,
      }[change],
      'If you did not want this, write to the administrators of the server at once, and look at the settings of your account:',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }: About & { attempt: Attempt; link: string }): Letter => ({
    subject: `Someone may know your password on ${server}`,
    lines: [
      `Someone entered the right password of @${username}, but then wrong codes of the second factor. They did not get in.`,
      ...attempted(attempt),
      'If this was not you, choose a new password here:',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }: About & { attempt: Attempt; link: string }): Letter => ({
    subject: `New sign-in to ${server}`,
    lines: [
      `Someone signed in as @${username} with the right password, from a network that you have not used here before.`,
      ...attempted(attempt),
      'If this was you, there is nothing to do. If not, choose a new password here, and end the sessions that are not yours:',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }: About & { provider: string }): Letter => ({
    subject: `You can sign in to ${server} with ${provider} now`,
    lines: [
      `From now on, @${username} can also be used by signing in with ${provider}.`,
      'If you did not connect it, remove the connection in the settings of your account, and write to the administrators of the server.',
    ],
  }),
  report: ({
    server,
    username,
    reporter,
    target,
    link,
  }: About & { reporter: string; target: string; link: string }): Letter => ({
    subject: `New report on ${server}`,
    lines: [
      `@${username}, there is a new report: ${reporter} reported ${target}.`,
      'Look at it here:',
      link,
      'You receive this e-mail because you may manage reports. You can turn it off in the preferences of your account.',
    ],
  }),
  trends: ({
    server,
    username,
    tags,
    links,
    publishers,
    statuses,
    link,
  }: About & {
    tags: readonly string[]
    links: readonly string[]
    publishers: readonly string[]
    statuses: readonly string[]
    link: string
  }): Letter => ({
    subject: `New trends to review on ${server}`,
    lines: [
      `@${username}, these may trend once you have approved them.`,
      tags.length > 0 ? `Hashtags: ${tags.join(', ')}` : null,
      links.length > 0 ? `Links: ${links.join(', ')}` : null,
      publishers.length > 0 ? `Publishers: ${publishers.join(', ')}` : null,
      statuses.length > 0 ? `Posts by: ${statuses.join(', ')}` : null,
      'Review them here:',
      link,
      'You receive this e-mail because you may manage trends.',
    ],
  }),
  /** `statuses`, `collections`: how many of them it is about. `link`: to the page of the warning. */
  warning: ({
    server,
    username,
    action,
    text,
    statuses,
    collections,
    link,
  }: About & { action: WarningKind; text: string; statuses: number; collections: number; link: string }): Letter => {
    const what = {
      subject: {
        none: `A warning about your account @${username}`,
        disable: `Your account @${username} has been frozen`,
        mark_statuses_as_sensitive: `Content of @${username} has been marked as sensitive`,
        delete_statuses: `Content of @${username} has been removed`,
        sensitive: `Posts of @${username} are now marked as sensitive`,
        silence: `Your account @${username} has been limited`,
        suspend: `Your account @${username} has been suspended`,
      },
      explanation: {
        none: `The moderators of ${server} have sent you a warning. Your account works as before.`,
        disable: `The moderators of ${server} have frozen your account. You can no longer use it, but your profile and posts stay as they are.`,
        mark_statuses_as_sensitive: `The moderators of ${server} have marked some of your content as sensitive. It stays hidden until someone chooses to see it.`,
        delete_statuses: `The moderators of ${server} have removed some of your content, because it breaks the rules of the server.`,
        sensitive: `From now on, all media in your posts on ${server} are marked as sensitive: they stay hidden until someone chooses to see them.`,
        silence: `The moderators of ${server} have limited your account. Only people who follow you already see your posts in their timelines, and accounts that you follow have to accept your request first.`,
        suspend: `The moderators of ${server} have suspended your account. Your profile and posts are hidden from everyone. After 30 days, your data is deleted for good.`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `Posts concerned: ${statuses}`,
        collections === 0 ? null : `Collections concerned: ${collections}`,
        text === '' ? null : 'The moderators write:',
        text === '' ? null : text,
        'If you think that this is a mistake, you can appeal within 20 days. Sign in to see what happened and to write to the moderators:',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }: About & { date: string }): Letter => ({
    subject: 'Your appeal was accepted',
    lines: [
      `The moderators of ${server} have read your appeal of ${date} and agree with you. What they had decided about @${username} no longer applies.`,
    ],
  }),
  appeal_rejected: ({ server, username, date }: About & { date: string }): Letter => ({
    subject: 'Your appeal was rejected',
    lines: [
      `The moderators of ${server} have read your appeal of ${date}. Their decision about @${username} stays as it is.`,
    ],
  }),
  account_approved: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Welcome to ${server}: your account was approved`,
    lines: [
      `The moderators of ${server} have approved your application. Your account @${username} is ready; sign in here:`,
      link,
    ],
  }),
  account_rejected: ({ server, username }: About): Letter => ({
    subject: `Your application to join ${server} was declined`,
    lines: [
      `The moderators of ${server} have declined your application to join as @${username}. What you sent with it has been deleted.`,
    ],
  }),
  /** For staff. `reason`: why the applicant wants to join, in their own words. */
  account_pending: ({
    server,
    applicant,
    email,
    reason,
    link,
  }: About & { applicant: string; email: string; reason: string; link: string }): Letter => ({
    subject: `@${applicant} asks to join ${server}`,
    lines: [
      `@${applicant} (${email}) has confirmed their e-mail address and asks to join ${server}.`,
      reason === '' ? null : 'The reason they give:',
      reason === '' ? null : reason,
      'Approve or reject the application here:',
      link,
    ],
  }),
  /** For staff. */
  appeal_received: ({
    server,
    applicant,
    text,
    link,
  }: About & { applicant: string; text: string; link: string }): Letter => ({
    subject: `@${applicant} appeals against a decision on ${server}`,
    lines: [`@${applicant} writes:`, text, 'Accept or reject the appeal here:', link],
  }),
  registrations_need_approval: ({ server, days, link }: About & { days: number; link: string }): Letter => ({
    subject: `Registrations on ${server} need approval now`,
    lines: [
      `No moderator has used ${server} for ${days} days. New accounts therefore need the approval of a moderator from now on, so that the server is not misused unnoticed.`,
      'Administrators can open the registrations again here:',
      link,
    ],
  }),
  unread_notifications: ({
    server,
    username,
    lines,
    hasMore,
    link,
    settings,
    unsubscribe,
  }: About & {
    lines: readonly string[]
    hasMore: boolean
    link: string
    settings: string
    unsubscribe: string
  }): Letter => ({
    subject: `Unread notifications on ${server}`,
    lines: [
      `This happened while you were away, @${username}:`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '… and more.' : null,
      'See all of it here:',
      link,
      'You chose to receive this e-mail. You can change that in your preferences:',
      settings,
      'Follow this link to stop these e-mails:',
      unsubscribe,
    ],
  }),
  /** `date`: until when the file can be downloaded. */
  archive_ready: ({ server, username, date, link }: About & { date: string; link: string }): Letter => ({
    subject: `Your archive from ${server} is ready`,
    lines: [
      `The archive of @${username} that you requested is ready. You can download it until ${date}, when you are signed in:`,
      link,
      'If you did not request it, choose a new password and end the sessions that are not yours.',
    ],
  }),
  terms_changed: ({
    server,
    date,
    link,
    changelog,
  }: About & { date: string; link: string; changelog: string }): Letter => ({
    subject: `The terms of service of ${server} change`,
    lines: [
      `The terms of service of ${server} change on ${date}. You can read the new version here:`,
      link,
      changelog === '' ? null : 'What changes:',
      changelog === '' ? null : changelog,
      'If you go on using your account after that day, the new terms apply to it.',
    ],
  }),
  /** To an address that a visitor entered. `username`, `handle`: of the account. Without its display name, which could say anything. */
  email_subscription: ({ server, handle, link }: About & { handle: string; link: string }): Letter => ({
    subject: `Confirm that you want to receive the posts of ${handle}`,
    lines: [
      `Someone entered this address on ${server} to receive new public posts of ${handle} by e-mail. If it was you, follow this link and confirm it:`,
      link,
      'The link works for seven days. If it was not you, ignore this e-mail: without the link you receive nothing more.',
    ],
  }),
  /** `subject`: the beginning of the newest post. `link`: to the profile. */
  new_posts: ({
    handle,
    name,
    posts,
    hasMore,
    subject,
    link,
    unsubscribe,
  }: About & {
    handle: string
    name: string
    posts: readonly MailedPost[]
    hasMore: boolean
    subject: string
    link: string
    unsubscribe: string
  }): Letter => ({
    subject: posts.length > 1 ? `New posts by ${name}` : subject === '' ? `New post by ${name}` : `${name}: ${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'en')),
      hasMore ? 'There are more new posts:' : null,
      hasMore ? link : null,
      `You receive this e-mail because this address is subscribed to the posts of ${handle}. Follow this link to unsubscribe:`,
      unsubscribe,
    ],
  }),
}

export type MailTexts = typeof enMails
