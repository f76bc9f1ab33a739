import { plural } from '../../plural.ts'
import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const jaClientCompose: ClientComposeTexts = {
  text: '投稿の本文',
  text_of: ({ number, total }) => `投稿 ${number} / ${total} の本文`,
  placeholder: '今なにしてる？',
  placeholder_next: 'スレッドを続ける',
  left: ({ count }) => plural('ja', count, { other: '残り#文字' }),
  too_long: ({ count }) => plural('ja', count, { other: '#文字超過しています' }),
  warning: '閲覧注意',
  warning_placeholder: '警告文を入力',
  visibility: '公開範囲',
  visibility_hints: {
    public: '誰でも見ることができます。ライブフィード、検索、トレンドに表示されることがあります。',
    unlisted: '誰でも見ることができますが、ライブフィード、検索、トレンドには表示されません。',
    private: 'フォロワーと、返信先として指定した人だけが見ることができます。',
    direct: '返信先として指定した人だけが見ることができます。',
  },
  direct_note:
    'この投稿は、本文で返信先に指定した人だけが見ることができます。暗号化はされないため、相手のサーバーの管理者は内容を読むことができます。',
  tools: 'ツール',
  post: '投稿する',
  save: '変更を保存',
  edit_title: '投稿を編集',
  reply_title: '返信',
  in_reply_to: '返信先の投稿',
  quoted: '引用する投稿',
  media_count: ({ count }) => plural('ja', count, { other: '添付ファイル#件' }),
  remove_post: 'この投稿を取り除く',
  posted: '投稿しました',
  saved: '変更を保存しました',
  scheduled: '予約しました',
}
