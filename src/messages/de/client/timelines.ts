import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const deClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('de', count, { one: '# neuer Beitrag', other: '# neue Beiträge' }),
  load_gap: 'Fehlende Beiträge laden',
  end: 'Du bist am Ende angekommen.',
  empty: 'Hier gibt es noch keine Beiträge.',
  home_empty: 'Deine Startseite ist leer. Folge Leuten, um sie zu füllen.',
}
