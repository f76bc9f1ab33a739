import { groupedNumber, plural } from '../../plural.ts'
import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const esClientExplore: ClientExploreTexts = {
  posts: 'Publicaciones',
  tags: 'Etiquetas',
  links: 'Noticias',
  people: 'Personas',
  trending_tags: 'Etiquetas en tendencia',
  suggested: 'Sugerencias',
  empty: 'Ahora mismo no hay tendencias. Vuelve más tarde.',
  recently_active: 'Activas recientemente',
  new_arrivals: 'Recién llegadas',
  only_local: 'Solo cuentas de este servidor',
  no_directory: 'Aquí no figura ninguna cuenta.',
  people_days: ({ count }: { count: number }) =>
    plural('es', count, { one: '# persona al día', other: 'hasta # personas al día' }, groupedNumber),
  link_posts: ({ count }: { count: number }) =>
    plural(
      'es',
      count,
      { one: 'Publicaciones de # persona al día', other: 'Publicaciones de hasta # personas al día' },
      groupedNumber,
    ),
}
