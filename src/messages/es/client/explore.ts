import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const esClientExplore: ClientExploreTexts = {
  posts: 'Publicaciones',
  tags: 'Etiquetas',
  links: 'Noticias',
  people: 'Personas',
  empty: 'Ahora mismo no hay tendencias. Vuelve más tarde.',
  people_days: ({ people }: { people: string }) => `Hasta ${people} personas al día`,
  link_posts: ({ people }: { people: string }) => `Publicaciones de hasta ${people} personas al día`,
}
