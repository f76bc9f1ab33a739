import type { MailTexts } from '../en/mails.ts'

export const jaMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `${server} のメールアドレスを確認してください`,
    lines: [
      `@${username} さん、${server} へようこそ！`,
      '次のリンクを開いて、このメールアドレスがご自分のものであることを確認してください：',
      link,
      app === null ? null : `確認後は ${app} で続けられます。`,
      approved
        ? null
        : 'このサーバーでは、参加の申請をモデレーターが一件ずつ審査しています。アドレスの確認後に結果をお知らせします。',
      'リンクの有効期限は7日間です。登録した覚えがない場合は、このメールを無視してください。リンクを開かなければアカウントは使われません。',
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `${server} の新しいメールアドレスを確認してください`,
    lines: [
      `@${username} さんが今後 ${server} でこのアドレスを使おうとしています。次のリンクを開いて確認してください：`,
      link,
      'リンクの有効期限は7日間です。心当たりがない場合は、このメールを無視してください。リンクを開かなければ何も変わりません。',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `${server}からのお知らせ`,
    lines: [`${server}の管理者からのお知らせです。`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `${server} のメールアドレスが変更されました`,
    lines: [
      `アカウント @${username} のアドレスは ${newAddress} になりました。今後、このアドレスにメールは届きません。`,
      'ご自分で変更していない場合は、すぐにサーバーの管理者に連絡してください。',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `${server} の新しいパスワードを設定してください`,
    lines: [
      `${server} の @${username} について、新しいパスワードの設定が申請されました。次のリンクを開いて設定してください：`,
      link,
      'リンクの有効期限は6時間です。申請した覚えがない場合は、このメールを無視してください。パスワードは変わりません。',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `${server} のパスワードが変更されました`,
    lines: [
      `@${username} のパスワードが変更されました。`,
      'ご自分で変更していない場合は、ここから新しいパスワードを申請し、サーバーの管理者に連絡してください：',
      link,
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `${server} に新しい通報があります`,
    lines: [
      `@${username} さん、新しい通報があります。${reporter} が ${target} を通報しました。`,
      'こちらから確認できます。',
      link,
      'このメールは、通報を管理できる方に送られています。アカウントの設定で停止できます。',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `${server} で確認が必要な新しいトレンド`,
    lines: [
      `@${username} さん、次の項目は承認されるとトレンドに表示されます。`,
      tags.length > 0 ? `ハッシュタグ: ${tags.join('、')}` : null,
      links.length > 0 ? `リンク: ${links.join('、')}` : null,
      publishers.length > 0 ? `発行元: ${publishers.join('、')}` : null,
      statuses.length > 0 ? `投稿者: ${statuses.join('、')}` : null,
      'こちらで確認してください:',
      link,
      'このメールは、トレンドを管理する権限を持つ方に送られています。',
    ],
  }),
}
