import { groupedNumber, plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const esClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('es', count, { one: '# publicación nueva', other: '# publicaciones nuevas' }),
  refreshed: 'Al día',
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
  posts_this_week: ({ count }: { count: number }) =>
    plural('es', count, { one: '# publicación esta semana', other: '# publicaciones esta semana' }, groupedNumber),
  catch_up: {
    explanation: 'Mira qué ha pasado en tu cronología mientras no estabas, sin recorrerla entera.',
    last_hours: ({ count }: { count: number }) =>
      plural('es', count, { one: 'La última hora', other: 'Las últimas # horas' }),
    start: 'Ponerse al día',
    progress: ({ posts, time }: { posts: string; time: string }) =>
      `${posts} publicaciones hasta ahora, hasta ${time}…`,
    nothing: ({ count }: { count: number }) =>
      plural('es', count, { one: 'Nada nuevo en la última hora.', other: 'Nada nuevo en las últimas # horas.' }),
    show: 'Mostrar',
    all: 'Todo',
    kinds: { posts: 'Publicaciones', replies: 'Respuestas', boosts: 'Impulsos', media: 'Multimedia' },
    order: 'Orden',
    orders: {
      newest: 'Más recientes',
      oldest: 'Más antiguas',
      favourites: 'Más favoritos',
      boosts: 'Más impulsos',
      replies: 'Más respuestas',
      author: 'Por autor',
    },
    links: 'Enlaces más compartidos',
    shared_by: ({ count }: { count: number }) =>
      plural('es', count, { one: 'compartido por # persona', other: 'compartido por # personas' }),
    authors: 'Autores',
    done: 'Eso es todo. Estás al día.',
  },
  continue_reading: 'Seguir donde lo dejaste en otro dispositivo',
  stay_here: 'Quedarse aquí',
  first_steps: 'Primeros pasos',
  hide_first_steps: 'Ocultar los primeros pasos',
  step_done: 'Hecho',
  step_profile: 'Preséntate',
  step_profile_hint: 'Con una foto de perfil y unas palabras sobre ti, la gente sabe quién la sigue.',
  step_post: 'Escribe tu primera publicación',
  step_post_hint: 'Muchos saludan con la etiqueta #introduction para que otros los encuentren.',
  step_follow: 'Sigue a gente',
  step_follow_hint:
    'Busca una dirección completa como @name@example.org: también las publicaciones de otros servidores llegan a tu inicio.',
  step_suggestions: 'Ver sugerencias',
  step_import: '¿Vienes de otro servidor?',
  step_import_hint: 'Trae contigo a quienes sigues, tus listas y tus bloqueos.',
  federated_empty:
    'Aún no hay publicaciones aquí. Las de otros servidores llegan en cuanto alguien de aquí sigue a gente de allí.',
  boost_run: ({ count }: { count: number }) => plural('es', count, { one: '# impulso', other: '# impulsos' }),
  previous_boosts: 'Impulsos anteriores',
  next_boosts: 'Impulsos siguientes',
}
