import type { ClientHashtagsTexts } from '../../en/client/hashtags.ts'

type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const esClientHashtags: ClientHashtagsTexts = {
  title: ({ any, all, none }: Lists) => `${any}${all && ` con ${all}`}${none && ` sin ${none}`}`,
  choose: 'Más etiquetas',
  any: 'O una de estas etiquetas',
  all: 'Y todas estas',
  none: 'Pero ninguna de estas',
  hint: ({ count }: Count) => `Hasta ${count}, separadas por espacios.`,
  local: 'Solo publicaciones de este servidor',
  only_media: 'Solo publicaciones con multimedia',
  show: 'Mostrar',
  invalid: ({ name }: { name: string }) => `«${name}» no es una etiqueta.`,
  too_many: ({ count }: Count) => `No puede haber más de ${count} etiquetas.`,
}
