import { groupedNumber, plural } from '../../plural.ts'
import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const deClientExplore: ClientExploreTexts = {
  posts: 'Beiträge',
  tags: 'Hashtags',
  links: 'Nachrichten',
  people: 'Leute',
  trending_tags: 'Hashtags im Trend',
  suggested: 'Vorschläge',
  empty: 'Gerade gibt es keine Trends. Schau später wieder vorbei.',
  recently_active: 'Kürzlich aktiv',
  new_arrivals: 'Neu dabei',
  only_local: 'Nur Konten dieses Servers',
  no_directory: 'Hier sind keine Konten verzeichnet.',
  people_days: ({ count }: { count: number }) =>
    plural('de', count, { one: '# Person am Tag', other: 'bis zu # Personen am Tag' }, groupedNumber),
  link_posts: ({ count }: { count: number }) =>
    plural(
      'de',
      count,
      { one: 'Beiträge von # Person am Tag', other: 'Beiträge von bis zu # Personen am Tag' },
      groupedNumber,
    ),
}
