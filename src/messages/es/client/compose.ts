import { plural } from '../../plural.ts'
import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const esClientCompose: ClientComposeTexts = {
  text: 'Texto de la publicación',
  text_of: ({ number, total }) => `Texto de la publicación ${number} de ${total}`,
  placeholder: '¿En qué estás pensando?',
  placeholder_next: 'Continuar el hilo',
  left: ({ count }) => plural('es', count, { one: 'Queda # carácter', other: 'Quedan # caracteres' }),
  too_long: ({ count }) => plural('es', count, { one: 'Sobra # carácter', other: 'Sobran # caracteres' }),
  warning: 'Advertencia de contenido',
  warning_placeholder: 'Escribe aquí tu advertencia',
  visibility: 'Visibilidad',
  visibility_hints: {
    public: 'Todo el mundo puede verla. Puede aparecer en cronologías públicas, búsquedas y tendencias.',
    unlisted: 'Todo el mundo puede verla, pero no aparece en cronologías públicas, búsquedas ni tendencias.',
    private: 'Solo tus seguidores y las personas mencionadas pueden verla.',
    direct: 'Solo las personas mencionadas pueden verla.',
  },
  direct_note:
    'Solo las personas que mencionas pueden ver esta publicación. No está cifrada: los administradores de sus servidores podrían leerla.',
  tools: 'Herramientas',
  post: 'Publicar',
  save: 'Guardar cambios',
  edit_title: 'Editar publicación',
  reply_title: 'Responder',
  in_reply_to: 'La publicación a la que respondes',
  quoted: 'La publicación que citas',
  media_count: ({ count }) => plural('es', count, { one: '# adjunto', other: '# adjuntos' }),
  remove_post: 'Quitar esta publicación',
  posted: 'Publicado',
  saved: 'Cambios guardados',
  scheduled: 'Programada',
}
