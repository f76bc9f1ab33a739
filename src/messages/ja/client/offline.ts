import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const jaClientOffline: ClientOfflineTexts = {
  too_many_requests: 'リクエストが多すぎます。1分ほど待ってから、もう一度お試しください。',
  unavailable: 'サーバーは現在利用できません。しばらくしてからもう一度お試しください。',
  sign_out: 'ログアウト',
  sign_out_question: 'ログアウトしますか?',
  sign_out_explanation:
    '下書き、未送信の投稿など、この端末に保存されたあなたのアカウントのデータはすべて削除されます。',
  update_ready: '新しいバージョンを利用できます。',
  update: '再読み込みして更新',
  install: 'アプリをインストール',
}
