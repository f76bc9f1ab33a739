import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const jaClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) => plural('ja', count, { other: '新しい投稿 # 件' }),
  load_gap: '抜けている投稿を読み込む',
  end: 'これで全部です。',
  empty: 'まだ投稿はありません。',
  home_empty: 'ホームは空です。だれかをフォローすると投稿が表示されます。',
}
