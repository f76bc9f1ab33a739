import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const jaClientOffline: ClientOfflineTexts = {
  too_many_requests: 'リクエストが多すぎます。1分ほど待ってから、もう一度お試しください。',
  unavailable: 'サーバーは現在利用できません。しばらくしてからもう一度お試しください。',
  too_large: 'サーバーの上限を超えています。小さいファイルを選ぶか、文章を短くしてください。',
  sign_out: 'ログアウト',
  sign_out_question: 'ログアウトしますか？',
  sign_out_explanation:
    '下書き、未送信の投稿など、この端末に保存されたあなたのアカウントのデータはすべて削除されます。',
  sign_out_of: ({ handle }) => `@${handle}からログアウト`,
  switch_to: ({ handle }) => `@${handle}に切り替える`,
  add_account: '別のアカウントを追加',
  account_gone: 'そのアカウントからはログアウトしています。',
  install: 'アプリをインストール',
  push_on: 'この端末で通知を表示する',
  push_alerts: '通知する項目',
  push_from: '通知元',
  push_from_all: '全員',
  push_from_followed: 'フォロー中の人',
  push_from_follower: 'フォロワー',
}
