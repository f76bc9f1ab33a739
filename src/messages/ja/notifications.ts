import type { NotificationTexts } from '../en/notifications.ts'

export const jaNotifications: NotificationTexts = {
  titles: {
    mention: ({ name }) => `${name}さんがあなたにメンションしました`,
    status: ({ name }) => `${name}さんが投稿しました`,
    reblog: ({ name }) => `${name}さんがあなたの投稿をブーストしました`,
    follow: ({ name }) => `${name}さんにフォローされました`,
    follow_request: ({ name }) => `${name}さんからフォローリクエストがありました`,
    favourite: ({ name }) => `${name}さんがあなたの投稿をお気に入りに登録しました`,
    poll: ({ name }) => `${name}さんのアンケートが終了しました`,
    update: ({ name }) => `${name}さんが投稿を編集しました`,
    'admin.sign_up': ({ name }) => `${name}さんが登録しました`,
    'admin.report': ({ name }) => `${name}さんが通報しました`,
    severed_relationships: () => '一部のフォロー関係が失われました',
    moderation_warning: () => 'モデレーターから警告が届きました',
    quote: ({ name }) => `${name}さんがあなたの投稿を引用しました`,
    quoted_update: ({ name }) => `${name}さんがあなたの引用した投稿を編集しました`,
    added_to_collection: ({ name }) => `${name}さんがあなたをコレクションに追加しました`,
    collection_update: ({ name }) => `${name}さんがあなたのいるコレクションを更新しました`,
  },
  details: {
    severed_relationships:
      'サーバーのモデレーション、またはあなたのドメインブロックにより、一部のフォロー関係がなくなりました。',
    moderation_warning: 'このサーバーのモデレーターから警告が届いています。',
    'admin.report': '通報を確認してください。',
  },
}
