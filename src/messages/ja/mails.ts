import type { Attempt, MailTexts } from '../en/mails.ts'
import { postLines } from '../mailed-posts.ts'

const MAILED_POST = {
  image: '画像',
  gifv: 'アニメーション',
  video: '動画',
  audio: '音声',
  unknown: '添付ファイル',
  warning: '閲覧注意',
  sensitive: '閲覧注意',
  poll: 'アンケート',
}

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `IPアドレス：${ip}`,
  device && `ブラウザー：${device}`,
  `日時：${time}`,
]

export const jaMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `${server}のメールアドレスを確認してください`,
    lines: [
      `@${username}さん、${server}へようこそ！`,
      '次のリンクを開いて、このメールアドレスがご自分のものであることを確認してください：',
      link,
      app === null ? null : `確認後は${app}で続けられます。`,
      approved
        ? null
        : 'このサーバーでは、登録申請をモデレーターが一件ずつ審査しています。アドレスの確認後に結果をお知らせします。',
      'リンクの有効期限は7日間です。登録した覚えがない場合は、このメールを無視してください。リンクを開かなければアカウントは使われません。',
    ],
  }),
  welcome: ({ server, username, handle, domain, profileLink, exploreLink }) => ({
    subject: `${server}へようこそ`,
    lines: [
      `@${username}さん、${server}へようこそ！${server}は多くのサーバーからなるネットワークの一部です。どのサーバーの人も、次のアドレスであなたをフォローできます：`,
      handle,
      'プロフィールで自己紹介をしましょう：',
      profileLink,
      'フォローしたい人やハッシュタグを探しましょう。投稿がホームに表示されます：',
      exploreLink,
      'Mastodon用のアプリも使えます。サーバーを聞かれたら、次を入力してください：',
      domain,
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `${server}の新しいメールアドレスを確認してください`,
    lines: [
      `@${username}さんが今後${server}でこのアドレスを使おうとしています。次のリンクを開いて確認してください：`,
      link,
      'リンクの有効期限は7日間です。心当たりがない場合は、このメールを無視してください。リンクを開かなければ何も変わりません。',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `${server}からのお知らせ`,
    lines: [`${server}の管理者からのお知らせです。`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `${server}のメールアドレスが変更されました`,
    lines: [
      `@${username}さんのメールアドレスが変更されました（${newAddress}）。今後、このアドレスにメールは届きません。`,
      'ご自分で変更していない場合は、すぐにサーバーの管理者に連絡してください。',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `${server}の新しいパスワードを設定してください`,
    lines: [
      `${server}の@${username}について、新しいパスワードの設定が申請されました。次のリンクを開いて設定してください：`,
      link,
      'リンクの有効期限は6時間です。申請した覚えがない場合は、このメールを無視してください。パスワードは変わりません。',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `${server}のパスワードが変更されました`,
    lines: [
      `@${username}のパスワードが変更されました。`,
      'ご自分で変更していない場合は、サーバーの管理者に連絡し、ここから新しいパスワードを申請してください：',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }) => ({
    subject: `${server}の二要素認証が変更されました`,
    lines: [
      {
        app_added: `@${username}に認証アプリが追加されました。`,
        app_removed: `@${username}の認証アプリが削除されました。`,
        passkey_added: `@${username}にパスキーが追加されました。`,
        passkey_removed: `@${username}のパスキーが削除されました。`,
        new_codes: `@${username}の新しいリカバリーコードが生成されました。以前のコードは使えません。`,
        turned_off: `サーバーの管理者が@${username}の二要素認証を無効にしました。`,
      }[change],
      '心当たりがない場合は、すぐにサーバーの管理者に連絡し、アカウントの設定を確認してください：',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }) => ({
    subject: `${server}のパスワードが知られている可能性があります`,
    lines: [
      `@${username}に正しいパスワードが入力されましたが、その後の二要素認証で誤ったコードが繰り返し入力されました。ログインはされていません。`,
      ...attempted(attempt),
      'ご自分の操作でない場合は、ここから新しいパスワードを設定してください：',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }) => ({
    subject: `${server}への新しいログイン`,
    lines: [
      `@${username}に、これまで使われていないネットワークから正しいパスワードでログインがありました。`,
      ...attempted(attempt),
      'ご自分の操作であれば、何もする必要はありません。そうでない場合は、ここから新しいパスワードを設定し、心当たりのないセッションを終了してください：',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }) => ({
    subject: `${server}に${provider}でログインできるようになりました`,
    lines: [
      `今後、@${username}には${provider}でもログインできます。`,
      'ご自分で連携していない場合は、アカウントの設定で連携を解除し、サーバーの管理者に連絡してください。',
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `${server}に新しい通報があります`,
    lines: [
      `@${username}さん、新しい通報があります。${reporter}が${target}を通報しました。`,
      'こちらから確認できます。',
      link,
      'このメールは、通報を管理できる方に送られています。アカウントの設定で停止できます。',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `${server}で確認が必要な新しいトレンド`,
    lines: [
      `@${username}さん、次の項目は承認されるとトレンドに表示されます。`,
      tags.length > 0 ? `ハッシュタグ：${tags.join('、')}` : null,
      links.length > 0 ? `リンク：${links.join('、')}` : null,
      publishers.length > 0 ? `発行元：${publishers.join('、')}` : null,
      statuses.length > 0 ? `投稿者：${statuses.join('、')}` : null,
      'こちらで確認してください：',
      link,
      'このメールは、トレンドを管理する権限を持つ方に送られています。',
    ],
  }),
  warning: ({ server, username, action, text, statuses, collections, link }) => {
    const what = {
      subject: {
        none: `@${username}さんのアカウントへの警告`,
        disable: `@${username}さんのアカウントが凍結されました`,
        mark_statuses_as_sensitive: `@${username}のコンテンツが閲覧注意に設定されました`,
        delete_statuses: `@${username}のコンテンツが削除されました`,
        sensitive: `@${username}の投稿は今後すべて閲覧注意になります`,
        silence: `@${username}さんのアカウントが制限されました`,
        suspend: `@${username}さんのアカウントが停止されました`,
      },
      explanation: {
        none: `${server}のモデレーターがあなたに警告を送りました。アカウントはこれまでどおり使えます。`,
        disable: `${server}のモデレーターがあなたのアカウントを凍結しました。アカウントは使えなくなりますが、プロフィールと投稿はそのまま残ります。`,
        mark_statuses_as_sensitive: `${server}のモデレーターがあなたのコンテンツの一部を閲覧注意に設定しました。見る人が表示を選ぶまで隠されます。`,
        delete_statuses: `${server}のモデレーターが、サーバーのルールに反するあなたのコンテンツを削除しました。`,
        sensitive: `今後、${server}でのあなたの投稿のメディアはすべて閲覧注意になり、見る人が表示を選ぶまで隠されます。`,
        silence: `${server}のモデレーターがあなたのアカウントを制限しました。投稿は、すでにあなたをフォローしている人のフィードにだけ表示され、あなたからのフォローには相手の承認が必要になります。`,
        suspend: `${server}のモデレーターがあなたのアカウントを停止しました。プロフィールと投稿は誰にも見えなくなります。30日後にデータは完全に削除されます。`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `対象の投稿：${statuses}件`,
        collections === 0 ? null : `対象のコレクション：${collections}件`,
        text === '' ? null : 'モデレーターからのメッセージ：',
        text === '' ? null : text,
        '間違いだと思う場合は、20日以内に異議を申し立てられます。ログインして、何が起きたかを確認し、モデレーターに連絡してください：',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }) => ({
    subject: '異議申し立てが認められました',
    lines: [
      `${server}のモデレーターが${date}の異議申し立てを確認し、認めました。@${username}に対する措置は取り消されました。`,
    ],
  }),
  appeal_rejected: ({ server, username, date }) => ({
    subject: '異議申し立ては認められませんでした',
    lines: [`${server}のモデレーターが${date}の異議申し立てを確認しました。@${username}に対する措置は変わりません。`],
  }),
  account_approved: ({ server, username, link }) => ({
    subject: `${server}へようこそ：アカウントが承認されました`,
    lines: [
      `${server}のモデレーターが登録申請を承認しました。アカウント（@${username}）を使えます。こちらからログインしてください：`,
      link,
    ],
  }),
  account_rejected: ({ server, username }) => ({
    subject: `${server}への登録申請は承認されませんでした`,
    lines: [`${server}のモデレーターは@${username}としての登録申請を承認しませんでした。申請の内容は削除されました。`],
  }),
  account_pending: ({ server, applicant, email, reason, link }) => ({
    subject: `@${applicant}さんが${server}への参加を申請しています`,
    lines: [
      `@${applicant}さん（${email}）がメールアドレスを確認し、${server}への参加を申請しています。`,
      reason === '' ? null : '申請の理由：',
      reason === '' ? null : reason,
      'こちらで承認または却下してください：',
      link,
    ],
  }),
  appeal_received: ({ server, applicant, text, link }) => ({
    subject: `@${applicant}さんが${server}での措置に異議を申し立てています`,
    lines: [`@${applicant}さんからのメッセージ：`, text, 'こちらで異議申し立てを認めるか却下してください：', link],
  }),
  registrations_need_approval: ({ server, days, link }) => ({
    subject: `${server}の新規登録が承認制になりました`,
    lines: [
      `${days}日間、${server}を利用したモデレーターがいませんでした。気づかないうちに悪用されるのを防ぐため、今後、新しいアカウントにはモデレーターの承認が必要です。`,
      '管理者はこちらで新規登録を再び開放できます：',
      link,
    ],
  }),
  unread_notifications: ({ server, username, lines, hasMore, link, settings, unsubscribe }) => ({
    subject: `${server}の未読の通知`,
    lines: [
      `@${username}さん、不在の間に次のことがありました：`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '…ほか。' : null,
      'すべてはこちらで確認できます：',
      link,
      'このメールは設定に従ってお送りしています。設定はこちらで変更できます：',
      settings,
      'このメールの配信は次のリンクで停止できます：',
      unsubscribe,
    ],
  }),
  archive_ready: ({ server, username, date, link }) => ({
    subject: `${server}のアーカイブの準備ができました`,
    lines: [
      `@${username}のアーカイブの準備ができました。ログインすると、${date}までダウンロードできます。`,
      link,
      '心当たりがない場合は、新しいパスワードを設定し、ご自身のものではないセッションを終了してください。',
    ],
  }),
  terms_changed: ({ server, date, link, changelog }) => ({
    subject: `${server}の利用規約が変わります`,
    lines: [
      `${server}の利用規約が${date}に変わります。新しい規約はこちらで読めます。`,
      link,
      changelog === '' ? null : '変更点：',
      changelog === '' ? null : changelog,
      'この日以降もアカウントを利用すると、新しい規約が適用されます。',
    ],
  }),
  email_subscription: ({ server, handle, link }) => ({
    subject: `${handle}の投稿をメールで受け取ることを確認してください`,
    lines: [
      `${server}で、${handle}の新しい公開投稿をメールで受け取るためにこのアドレスが入力されました。ご本人の場合は、次のリンクを開いて確認してください：`,
      link,
      'リンクの有効期限は7日間です。心当たりがない場合は、このメールを無視してください。リンクを開かなければ、これ以上メールは届きません。',
    ],
  }),
  new_posts: ({ handle, name, posts, hasMore, subject, link, unsubscribe }) => ({
    subject:
      posts.length > 1 ? `${name}さんの新しい投稿` : subject === '' ? `${name}さんの新しい投稿` : `${name}：${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'ja')),
      hasMore ? 'ほかにも新しい投稿があります：' : null,
      hasMore ? link : null,
      `このアドレスで${handle}の投稿を購読しているため、このメールをお送りしています。配信を停止するには、次のリンクを開いてください：`,
      unsubscribe,
    ],
  }),
}
