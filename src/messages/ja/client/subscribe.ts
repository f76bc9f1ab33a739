import type { ClientSubscribeTexts } from '../../en/client/subscribe.ts'

export const jaClientSubscribe: ClientSubscribeTexts = {
  title: ({ handle }) => `${handle}さんの投稿をメールで受け取る`,
  text: '新しい公開投稿が届きます。ブーストと他の人への返信は含みません。最初のメールでアドレスを確認してください。',
  email: 'メールアドレス',
  submit: '購読する',
  sent: 'このアドレスがまだ登録されていなければ、確認用のリンクをお送りします。',
}
