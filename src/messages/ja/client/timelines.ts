import { plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const jaClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) => plural('ja', count, { other: '新しい投稿 # 件' }),
  load_gap: '抜けている投稿を読み込む',
  end: 'これで全部です。',
  empty: 'まだ投稿はありません。',
  home_empty: 'ホームは空です。だれかをフォローすると投稿が表示されます。',
  find_people: 'フォローする人を探す',
  bookmarks_empty: 'ブックマークはまだありません。ブックマークは自分だけに見えます。',
  favourites_empty: 'お気に入りはまだありません。',
  list_empty: 'このリストにはまだ何もありません。メンバーの新しい投稿がここに表示されます。',
  edit_list: 'リストを編集',
  link_posts: 'このリンクを含む投稿',
  follow_tag: 'ハッシュタグをフォロー',
  unfollow_tag: 'ハッシュタグのフォローを解除',
  feature_tag: 'プロフィールで紹介',
  unfeature_tag: 'プロフィールでの紹介をやめる',
  tag_usage: ({ posts, people }: { posts: string; people: string }) => `今週の投稿 ${posts} 件、1日最大 ${people} 人`,
}
