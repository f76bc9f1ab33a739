import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const esClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('es', count, { one: '# publicación nueva', other: '# publicaciones nuevas' }),
  load_gap: 'Cargar las publicaciones que faltan',
  end: 'Has llegado al final.',
  empty: 'Aún no hay publicaciones aquí.',
  home_empty: 'Tu cronología está vacía. Sigue a otras personas para llenarla.',
}
