type Letter = { subject: string; lines: readonly (string | null)[] }
type About = { server: string; username: string }

/** The mails about signing in, in plain text. A line that is null is left out. */
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
        : 'The moderators of this server review each request to join. You will hear from them after you have confirmed your address.',
      'The link works for seven days. If you did not sign up, ignore this mail: without the link the account stays unused.',
    ],
  }),
  new_address: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Confirm your new e-mail address for ${server}`,
    lines: [
      `@${username} wants to use this address on ${server} from now on. Follow this link to confirm it:`,
      link,
      'The link works for seven days. If this is not you, ignore this mail: nothing changes without the link.',
    ],
  }),
  announcement: ({ server, announcement }: About & { announcement: string }): Letter => ({
    subject: `An announcement from ${server}`,
    lines: [`The administrators of ${server} announce:`, announcement],
  }),
  address_changed: ({ server, username, newAddress }: About & { newAddress: string }): Letter => ({
    subject: `Your e-mail address on ${server} was changed`,
    lines: [
      `The account @${username} now uses the address ${newAddress}. Mails no longer go to this one.`,
      'If you did not change it, write to the administrators of the server at once.',
    ],
  }),
  password_reset: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Choose a new password for ${server}`,
    lines: [
      `A new password was requested for @${username} on ${server}. Follow this link to choose one:`,
      link,
      'The link works for six hours. If you did not request it, ignore this mail: your password stays as it is.',
    ],
  }),
  password_changed: ({ server, username, link }: About & { link: string }): Letter => ({
    subject: `Your password on ${server} was changed`,
    lines: [
      `The password of @${username} was changed just now.`,
      'If you did not change it, request a new password here, and write to the administrators of the server:',
      link,
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
      'You receive this mail because you may manage reports. You can turn it off in the preferences of your account.',
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
      'You receive this mail because you may manage trends.',
    ],
  }),
}

export type MailTexts = typeof enMails
