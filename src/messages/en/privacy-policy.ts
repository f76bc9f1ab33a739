import type { Translated } from './pages.ts'

/** The privacy policy of servers that have written none. It must say what Rookery does: change it together with that. */
export const enPrivacyPolicy = {
  intro: ({ domain }: { domain: string }) => `This policy describes what ${domain} collects and why.`,
  account:
    'Account information. When you register, you give a username, an e-mail address and a password, and you may add a display name, a biography, an avatar and a header image. Username, display name, biography, images and profile fields are always public. The password is stored as a hash that cannot be read back. The e-mail address is used to confirm your account, to reset your password and to tell you about activity, and is shown to the administrators only.',
  posts:
    'Posts, follows and other public information. The accounts you follow and your public posts are public unless you choose otherwise. When you post, the time and the application you posted with are stored. Media may carry a description that you write; location data and camera details are removed from the images you upload. When you delete a post that was reported, its text is stored for up to 30 more days for the moderators.',
  private_posts:
    'Followers-only posts and private mentions. They are stored on this server and delivered to the servers of your followers or of the people you mention. We ask those servers to respect their audience, but cannot enforce it. Administrators of this server and of the servers that receive them can read them. Do not share dangerous or sensitive information here.',
  addresses:
    'IP addresses and other metadata. When you register, your IP address is stored. When you sign in, or someone tries to, the time, the IP address and the name of the browser application are stored, so that you can review sign-ins and end sessions. The most recent IP address of each authorised application is stored as well. The addresses of your registration and of sign-ins are deleted after a year, the others after a year without use.',
  use: 'What the information is used for. To provide the service: to show and deliver your posts, to let you follow and interact with others, to keep you signed in, and to help with moderation, for example to find accounts that evade a ban.',
  disclosure:
    'What is disclosed to others. We do not sell or trade personal information. Your public posts and profile are delivered to other servers of the fediverse when someone there follows you or is mentioned, and may be searched and copied there. Applications that you authorise can read what you allowed them to read, never your e-mail address or password unless you give it to them.',
  rights:
    'Your rights. You can export your posts, media and lists in the settings, change your profile at any time, and delete your account. Deletion removes your data from this server and asks other servers to do the same.',
  cookies:
    'Cookies. This server sets cookies to keep you signed in and to protect forms. Pages of this server load nothing from third parties.',
  children: 'Children. If this server requires a minimum age, it is asked for at registration.',
  email_subscriptions:
    'Posts by e-mail. If you have the posts of an account sent to your e-mail address, the address, the language and the times of your request, of its confirmation and of the last e-mail are stored. The address is used for these e-mails alone and shown to no one. It is deleted when you unsubscribe, when you do not confirm it within seven days, and with the account.',
  contact: ({ email }: { email: string }) => `Questions and requests: ${email}`,
}

export type PrivacyPolicyTexts = Translated<typeof enPrivacyPolicy>
