/** The English texts of the settings pages. */
export const enSettings = {
  menu: {
    title: 'Settings',
    all: 'All settings',
    groups: { you: 'You', security: 'Security', data: 'Your data', moving: 'Moving and leaving' },
    pages: {
      profile: { label: 'Profile', about: 'Your name, bio, images and privacy' },
      preferences: { label: 'Preferences', about: 'Defaults for new posts, reading, language and time' },
      account: { label: 'Password and e-mail', about: 'Change how you sign in' },
      two_factor: { label: 'Two-factor authentication', about: 'Authenticator app, passkeys and recovery codes' },
      sessions: { label: 'Sessions', about: 'The browsers in which you are signed in' },
      applications: { label: 'Authorised applications', about: 'The applications that can access your account' },
      export: { label: 'Export', about: 'Lists for other servers, and an archive of all your posts' },
      import: { label: 'Import', about: 'Import follows, blocks, lists and bookmarks' },
      aliases: { label: 'Aliases', about: 'Your accounts on other servers, needed to move here' },
      migration: { label: 'Move to another account', about: 'Take your followers to another account' },
      delete: { label: 'Delete account', about: 'Delete everything permanently' },
    },
  },
  preferences: {
    saved: 'Your preferences are saved. Applications apply them when they start.',
    new_posts: 'New posts',
    visibility: 'Visibility',
    public: 'Public',
    public_hint: 'Visible to everyone.',
    unlisted: 'Unlisted',
    unlisted_hint: 'Visible to everyone, but not shown in public timelines and searches.',
    private: 'Followers only',
    private_hint: 'Visible only to your followers.',
    quotes: 'Who can quote',
    everyone: 'Everyone',
    your_followers: 'Your followers',
    only_you: 'Only you',
    language: 'Language',
    language_of_app: 'As set in the application',
    sensitive: 'Always mark media as sensitive',
    show_application: 'Show the application that I post with',
    reading: 'Reading',
    media: 'Images and videos',
    media_default: 'Hide media marked as sensitive',
    media_show: 'Always show media',
    media_hide: 'Always hide media',
    spoilers: 'Always expand posts with content warnings',
    autoplay: 'Play animated images automatically',
    language_and_time: 'Language and time',
    locale: 'Language of pages, e-mails and applications',
    time_zone: 'Time zone',
    server_zone: 'As on the server (UTC)',
  },
}

type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** The texts of the settings pages in one language. */
export type SettingsTexts = Same<typeof enSettings>
