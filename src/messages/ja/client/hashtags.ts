import type { ClientHashtagsTexts } from '../../en/client/hashtags.ts'

type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const jaClientHashtags: ClientHashtagsTexts = {
  title: ({ any, all, none }: Lists) => `${any}${all && `（${all}を含む）`}${none && `（${none}を除く）`}`,
  choose: '他のハッシュタグ',
  any: 'または次のいずれか',
  all: '次のすべてを含む',
  none: '次のいずれも含まない',
  hint: ({ count }: Count) => `スペース区切りで${count}個まで。`,
  local: 'このサーバーの投稿のみ',
  only_media: 'メディア付きの投稿のみ',
  show: '表示',
  invalid: ({ name }: { name: string }) => `「${name}」はハッシュタグではありません。`,
  too_many: ({ count }: Count) => `ハッシュタグは${count}個までです。`,
}
