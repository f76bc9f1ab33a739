import { plural } from '../../plural.ts'
import type { ClientHashtagsTexts } from '../../en/client/hashtags.ts'

type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const arClientHashtags: ClientHashtagsTexts = {
  title: ({ any, all, none }: Lists) => `${any}${all && ` مع ${all}`}${none && ` دون ${none}`}`,
  choose: 'وسوم أخرى',
  any: 'أو أحد هذه الوسوم',
  all: 'ومع كل هذه',
  none: 'ودون أي من هذه',
  hint: ({ count }: Count) => `حتى ${count}، تفصل بينها مسافات.`,
  local: 'منشورات هذا الخادم فقط',
  only_media: 'المنشورات ذات الوسائط فقط',
  show: 'عرض',
  invalid: ({ name }: { name: string }) => `«${name}» ليس وسمًا.`,
  too_many: ({ count }: Count) =>
    plural('ar', count, {
      few: 'لا يمكن اختيار أكثر من # وسوم.',
      many: 'لا يمكن اختيار أكثر من # وسمًا.',
      other: 'لا يمكن اختيار أكثر من # وسم.',
    }),
}
