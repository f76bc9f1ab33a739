import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const frClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('fr', count, { one: '# nouveau message', other: '# nouveaux messages' }),
  load_gap: 'Charger les messages manquants',
  end: 'Vous êtes arrivé à la fin.',
  empty: 'Il n’y a pas encore de messages ici.',
  home_empty: 'Votre fil est vide. Suivez des personnes pour le remplir.',
}
