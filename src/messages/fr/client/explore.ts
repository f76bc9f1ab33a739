import { groupedNumber, plural } from '../../plural.ts'
import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const frClientExplore: ClientExploreTexts = {
  posts: 'Messages',
  tags: 'Hashtags',
  links: 'Actualités',
  people: 'Personnes',
  trending_tags: 'Hashtags en tendance',
  suggested: 'Suggestions',
  empty: 'Rien n’est en tendance pour l’instant. Revenez plus tard.',
  recently_active: 'Actifs récemment',
  new_arrivals: 'Inscriptions récentes',
  only_local: 'Seulement les comptes de ce serveur',
  no_directory: 'Aucun compte n’est répertorié ici.',
  people_days: ({ count }: { count: number }) =>
    plural('fr', count, { one: '# personne par jour', other: 'jusqu’à # personnes par jour' }, groupedNumber),
  link_posts: ({ count }: { count: number }) =>
    plural(
      'fr',
      count,
      { one: 'Messages de # personne par jour', other: 'Messages de # personnes par jour au plus' },
      groupedNumber,
    ),
}
