import { plural } from '../../plural.ts'
import type { ClientStatusesTexts } from '../../en/client/statuses.ts'

export const esClientStatuses: ClientStatusesTexts = {
  actions: 'Acciones',
  boosted_by: '{name} impulsó',
  boosted_by_many: ({ count }: { count: number }) =>
    plural('es', count, { one: '{name} y # persona más impulsaron', other: '{name} y # personas más impulsaron' }),
  edited: 'Editado',
  reply: 'Responder',
  boost: 'Impulsar',
  undo_boost: 'Deshacer impulso',
  favourite: 'Marcar como favorita',
  undo_favourite: 'Quitar de favoritas',
  bookmark: 'Guardar en marcadores',
  undo_bookmark: 'Quitar marcador',
  more: 'Más',
  copy_link: 'Copiar enlace',
  link_copied: 'Enlace copiado',
  open_original: 'Abrir la página original',
  show_more: 'Mostrar más',
  show_less: 'Mostrar menos',
  visibilities: {
    public: 'Pública',
    unlisted: 'No listada',
    private: 'Solo seguidores',
    direct: 'Mención privada',
  },
}
