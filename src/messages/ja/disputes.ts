import { groupedNumber, plural } from '../plural.ts'
import type { DisputeTexts } from '../en/disputes.ts'

export const jaDisputes: DisputeTexts = {
  strikes: {
    title: 'モデレーションの履歴',
    lead: 'このサーバーのモデレーターがあなたのアカウントについて決めたことです。20日以内なら異議を申し立てられます。',
    empty: 'モデレーターからの連絡はこれまで一度もありません。',
    disabled: 'アカウントは凍結されていて、使えません。何が起きたかは以下のとおりです。',
    suspended:
      'アカウントは停止されていて、誰にも見えません。{date}にデータが削除されます。何が起きたかは以下のとおりです。',
    gone: 'アカウントは停止されています。何が起きたかは以下のとおりです。',
    sign_out: 'ログアウト',
    back: 'モデレーションの履歴をすべて見る',
    reason: 'モデレーターからのメッセージ',
    no_reason: '理由は書かれていません。',
    posts: '対象の投稿',
    removed: '投稿はもうありません。',
    collections: '対象のコレクション',
    collections_removed: 'コレクションはもうありません。',
    overruled: '取り消し済み',
    appeal: '異議申し立て',
    appeal_text: 'なぜ間違いだと思いますか？',
    appeal_hint: 'モデレーターが読んで、メールで返事をします。異議申し立ては一度だけできます。',
    send: '異議を申し立てる',
    until: '{date}まで異議を申し立てられます。',
    too_late: '異議を申し立てられる20日間は過ぎました。',
    yours: '{date}の異議申し立て',
    sent: '異議申し立てを送信しました。モデレーターが決定したらメールでお知らせします。',
    count: ({ count }) => plural('ja', count, { one: '#件の投稿', other: '#件の投稿' }, groupedNumber),
    collection_count: ({ count }) =>
      plural('ja', count, { one: '#件のコレクション', other: '#件のコレクション' }, groupedNumber),
    states: {
      pending: '決定待ち',
      approved: '認められました',
      rejected: '認められませんでした',
    },
    actions: {
      none: '警告',
      disable: 'アカウントの凍結',
      mark_statuses_as_sensitive: 'コンテンツを閲覧注意に設定',
      delete_statuses: 'コンテンツの削除',
      sensitive: 'メディアを常に閲覧注意に設定',
      silence: 'アカウントの制限',
      suspend: 'アカウントの停止',
    },
  },
  severed: {
    title: '失われたフォロー関係',
    lead: 'サーバーのブロックやアカウントの停止によって終わったフォロー関係です。30日間、失った相手の一覧をダウンロードできます。',
    empty: 'このように失ったフォロー関係はありません。',
    domain_block: '管理者が{name}をブロックしました',
    user_domain_block: 'あなたが{name}をブロックしました',
    account_suspension: 'モデレーターが{name}を停止しました',
    download_followers: '失ったフォロワーをダウンロード',
    download_following: '失ったフォローをダウンロード',
    purged: '一覧はもう保存されていません。',
    followers: ({ count }) => plural('ja', count, { one: 'フォロワー#人', other: 'フォロワー#人' }, groupedNumber),
    following: ({ count }) =>
      plural(
        'ja',
        count,
        { one: 'フォローしていたアカウント#件', other: 'フォローしていたアカウント#件' },
        groupedNumber,
      ),
  },
}
