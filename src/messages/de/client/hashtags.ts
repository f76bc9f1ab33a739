import type { ClientHashtagsTexts } from '../../en/client/hashtags.ts'

type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const deClientHashtags: ClientHashtagsTexts = {
  title: ({ any, all, none }: Lists) => `${any}${all && ` mit ${all}`}${none && ` ohne ${none}`}`,
  choose: 'Weitere Hashtags',
  any: 'Oder einer dieser Hashtags',
  all: 'Und alle von diesen',
  none: 'Aber keiner von diesen',
  hint: ({ count }: Count) => `Bis zu ${count}, mit Leerzeichen dazwischen.`,
  local: 'Nur Beiträge dieses Servers',
  only_media: 'Nur Beiträge mit Medien',
  show: 'Anzeigen',
  invalid: ({ name }: { name: string }) => `„${name}“ ist kein Hashtag.`,
  too_many: ({ count }: Count) => `Mehr als ${count} Hashtags sind nicht möglich.`,
}
