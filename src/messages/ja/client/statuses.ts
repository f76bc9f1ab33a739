import { plural } from '../../plural.ts'
import type { ClientStatusesTexts } from '../../en/client/statuses.ts'

export const jaClientStatuses: ClientStatusesTexts = {
  actions: '操作',
  boosted_by: '{name} さんがブースト',
  boosted_by_many: ({ count }: { count: number }) => plural('ja', count, { other: '{name} さんとほか # 人がブースト' }),
  edited: '編集済み',
  reply: '返信',
  boost: 'ブースト',
  undo_boost: 'ブーストを取り消す',
  favourite: 'お気に入り',
  undo_favourite: 'お気に入りを解除',
  bookmark: 'ブックマーク',
  undo_bookmark: 'ブックマークを解除',
  more: 'その他',
  copy_link: 'リンクをコピー',
  link_copied: 'リンクをコピーしました',
  open_original: '元のページを開く',
  show_more: 'もっと見る',
  show_less: '隠す',
  visibilities: {
    public: '公開',
    unlisted: '非収載',
    private: 'フォロワー限定',
    direct: '非公開の返信',
  },
}
