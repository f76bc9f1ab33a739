import type { ClientHashtagsTexts } from '../../en/client/hashtags.ts'

type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const frClientHashtags: ClientHashtagsTexts = {
  title: ({ any, all, none }: Lists) => `${any}${all && ` avec ${all}`}${none && ` sans ${none}`}`,
  choose: 'Autres hashtags',
  any: 'Ou l’un de ces hashtags',
  all: 'Et tous ceux-ci',
  none: 'Mais aucun de ceux-ci',
  hint: ({ count }: Count) => `${count} au plus, séparés par des espaces.`,
  local: 'Seulement les messages de ce serveur',
  only_media: 'Seulement les messages avec médias',
  show: 'Afficher',
  invalid: ({ name }: { name: string }) => `« ${name} » n’est pas un hashtag.`,
  too_many: ({ count }: Count) => `Pas plus de ${count} hashtags.`,
}
