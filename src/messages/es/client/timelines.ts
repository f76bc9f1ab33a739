import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const esClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('es', count, { one: '# publicación nueva', other: '# publicaciones nuevas' }),
  load_gap: 'Cargar las publicaciones que faltan',
  end: 'Has llegado al final.',
  empty: 'Aún no hay publicaciones aquí.',
  home_empty: 'Tu cronología está vacía. Sigue a otras personas para llenarla.',
  find_people: 'Encontrar a quién seguir',
  bookmarks_empty: 'Aún no tienes marcadores. Solo tú los ves.',
  favourites_empty: 'Aún no tienes favoritos.',
  list_empty: 'Aún no hay nada en esta lista. Aquí aparecerán las nuevas publicaciones de sus miembros.',
  edit_list: 'Editar lista',
  link_posts: 'Publicaciones con este enlace',
  follow_tag: 'Seguir etiqueta',
  unfollow_tag: 'Dejar de seguir etiqueta',
  feature_tag: 'Destacar en el perfil',
  unfeature_tag: 'No destacar en el perfil',
  tag_usage: ({ posts, people }: { posts: string; people: string }) =>
    `${posts} publicaciones esta semana, de hasta ${people} personas al día`,
}
