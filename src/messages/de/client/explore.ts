import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const deClientExplore: ClientExploreTexts = {
  posts: 'Beiträge',
  tags: 'Hashtags',
  links: 'Nachrichten',
  people: 'Leute',
  empty: 'Gerade gibt es keine Trends. Schau später wieder vorbei.',
  people_days: ({ people }: { people: string }) => `Bis zu ${people} Personen am Tag`,
  link_posts: ({ people }: { people: string }) => `Beiträge von bis zu ${people} Personen am Tag`,
}
