import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const frClientExplore: ClientExploreTexts = {
  posts: 'Messages',
  tags: 'Hashtags',
  links: 'Actualités',
  people: 'Personnes',
  empty: 'Rien n’est en tendance pour l’instant. Revenez plus tard.',
  people_days: ({ people }: { people: string }) => `Jusqu’à ${people} personnes par jour`,
  link_posts: ({ people }: { people: string }) => `Messages de jusqu’à ${people} personnes par jour`,
}
