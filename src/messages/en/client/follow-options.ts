export const enClientFollowOptions = {
  title: ({ handle }: { handle: string }) => `What you see of ${handle}`,
  notify_hint: 'You get a notification for each post.',
  show_boosts: 'Show boosts',
  show_boosts_hint: 'In your home timeline.',
  languages: 'Languages',
  languages_all: 'You see posts in all languages.',
  languages_hint: 'In your home timeline, you see posts in these languages only.',
  add_language: 'Add a language',
  remove_language: ({ name }: { name: string }) => `Remove ${name}`,
}

export type ClientFollowOptionsTexts = typeof enClientFollowOptions
