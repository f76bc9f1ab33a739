import type { ClientFollowOptionsTexts } from '../../en/client/follow-options.ts'

export const jaClientFollowOptions: ClientFollowOptionsTexts = {
  title: ({ handle }) => `${handle}さんの表示設定`,
  notify_hint: '投稿ごとに通知が届きます。',
  show_boosts: 'ブーストを表示',
  show_boosts_hint: 'ホームに表示します。',
  languages: '言語',
  languages_all: 'すべての言語の投稿が表示されます。',
  languages_hint: 'ホームにはこれらの言語の投稿だけが表示されます。',
  add_language: '言語を追加',
  remove_language: ({ name }) => `${name}を外す`,
}
