import type { CliOperationsTexts } from '../en/cli-operations.ts'
import { plural } from '../plural.ts'

export const jaCliOperations: CliOperationsTexts = {
  commands: {
    'accounts approve': {
      summary: '承認待ちの登録を一つ、古い順にいくつか、またはすべて承認する',
      options: { number: '古い順に承認する件数', 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts suspend': {
      summary: 'このサーバーまたは他のサーバーのアカウントを停止する。30日間は取り消せる',
      options: { text: 'アカウントに伝える文', 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts unsuspend': {
      summary: 'アカウントの停止を取り消す',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts memorialize': {
      summary: '亡くなった方のアカウントを追悼アカウントにする',
      options: { undo: '通常のアカウントに戻す', 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts follow': {
      summary: 'このサーバーのすべてのアカウントに、あるアカウントをフォローさせる',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts unfollow': {
      summary: 'このサーバーのすべてのアカウントに、あるアカウントのフォローを解除させる',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts reset-relationships': {
      summary: 'このサーバーのアカウントのフォローをすべて解除する、フォロワーをすべて外す、またはその両方を行う',
      options: {
        follows: 'フォローをすべて解除する',
        followers: 'フォロワーをすべて外す',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'accounts rotate-keys': {
      summary: 'アカウント一つ、またはすべてに新しい署名鍵を与える',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts backup': { summary: 'ユーザーがダウンロードできるデータのアーカイブを作る', options: {} },
    'accounts migrate': {
      summary: 'このサーバーのアカウントを、エイリアスで指定された別のアカウントに移行する',
      options: {
        target: '移行先のアカウント',
        replay: '直前の移行をもう一度送る。処理しなかったサーバーのフォロワーのため',
      },
    },
    'accounts refresh': {
      summary: '他のサーバーのアカウントを、サーバーのジョブで取得し直す',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts cull': {
      summary: '他のサーバーにもう存在しないアカウントを削除する',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'accounts merge': {
      summary:
        '同じ人のものである、他のサーバーの2つのアカウントを統合する（サーバーのドメインが変わった場合など）。FROM は削除され、その投稿、フォロワー、リスト、ブロックは TO に移る',
      options: {
        force: '同じ鍵を持ったことのないアカウントも統合する',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'accounts prune': {
      summary: 'ここの誰とも関わりのない他のサーバーのアカウントを削除する',
      options: {
        days: 'この日数のあいだ取得していないものだけ。指定がなければ 7',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'domains block': {
      summary: 'サーバーを全員に対してブロックする',
      options: {
        severity: 'suspend（既定）、silence、noop のいずれか',
        'reject-media': 'そのメディアを保存しない',
        'reject-reports': 'そこからの通報を無視する',
        comment: '理由（スタッフ向け）',
        'public-comment': '理由（全員向け）',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'domains unblock': {
      summary: 'サーバーのブロックを解除する',
      options: {
        'restore-follows': 'ブロックで切れたフォローを復元する',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'domains purge': {
      summary: 'サーバーのすべてのアカウントと投稿を削除する。取り消せない',
      options: { yes: '削除を確認する', 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'domains stats': { summary: '知っているサーバーを一覧表示する', options: { limit: '行数。指定がなければ 100' } },
    'domains crawl': {
      summary: '知っているすべてのサーバーにソフトウェアを尋ねる',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'ip-blocks list': {
      summary: 'ブロックした IP アドレスと範囲を新しい順に一覧表示する',
      options: { limit: '行数。指定がなければ 100' },
    },
    'ip-blocks add': {
      summary: 'IP アドレスまたは範囲をブロックする',
      options: {
        severity: 'sign_up_requires_approval、sign_up_block、no_access のいずれか（必須）',
        comment: '理由（スタッフ向け）',
        duration: 'ブロックの秒数。指定がなければ無期限',
      },
    },
    'ip-blocks remove': {
      summary: 'IP アドレスまたは範囲のブロックを解除する',
      options: { covering: 'それらを含む範囲のブロックも解除する', 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'ip-blocks export': {
      summary: 'アクセスできないアドレスと範囲を、ファイアウォールやプロキシ用に出力する',
      options: { format: 'plain（既定）または nginx' },
    },
    'email-domain-blocks list': {
      summary: '登録できないメールドメインを新しい順に一覧表示する',
      options: { limit: '行数。指定がなければ 100' },
    },
    'email-domain-blocks add': {
      summary: 'そのドメインのメールアドレスによる登録を拒否する',
      options: {
        'allow-with-approval': '拒否せず、スタッフが承認できるようにする',
        'with-dns-records': 'ドメインのメールサーバーとそのアドレスもブロックする',
      },
    },
    'email-domain-blocks remove': {
      summary: 'メールドメインと、一緒にブロックしたメールサーバーのブロックを解除する',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'canonical-email-blocks find': {
      summary: 'メールアドレスが、どの表記でも登録できないようブロックされているかを表示する',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'メールアドレスのブロックを解除する',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'media remove': {
      summary: '誰も見ていないリモートメディアの複製を削除する。必要になれば取得し直す',
      options: {
        days: 'この日数のあいだ使われていないものだけ。指定がなければ 7',
        'keep-interacted': 'このサーバーのユーザーがお気に入り、ブックマーク、ブースト、返信、引用した投稿のものは残す',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'media usage': { summary: 'メディアの使用容量を表示する', options: {} },
    'media refresh': {
      summary: '他のサーバーのアカウントの画像を取得し直す',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'media remove-orphans': {
      summary: 'データベースのどこからも参照されないファイルを削除する',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'media lookup': {
      summary:
        'ここでのアドレスまたは元のサーバーでのアドレスから、ファイルがどの投稿・アカウント・絵文字のものかを表示する',
      options: {},
    },
    'feeds build': {
      summary: 'アカウントのホームフィードを一つ、またはすべて作り直す',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'feeds clear': {
      summary: 'すべてのホームフィードを削除する。閲覧時に作り直される',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'search deploy': { summary: 'サーバーの稼働中に検索インデックスを作り直す', options: {} },
    'statuses remove': {
      summary: 'ここの誰も反応していない他のサーバーの投稿を削除する。ここの誰かがフォローするアカウントの投稿は残す',
      options: {
        days: 'この日数より古いものだけ。指定がなければ 90',
        'clean-followed': 'フォローされているアカウントの投稿も削除する',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    'settings registrations': { summary: '登録を開始・停止する、または承認制にする', options: {} },
    'cache clear': { summary: '保存された翻訳を削除し、稼働中のサーバーに設定を読み直させる', options: {} },
    'cache recount': { summary: '投稿・フォロワー・反応を数え直し、誤った値を直す', options: {} },
    'maintenance reindex': {
      summary: 'サーバーの稼働中にデータベースの全インデックスを作り直す',
      options: { 'dry-run': '実行せず、行われる内容だけを表示する' },
    },
    'self-destruct': {
      summary: 'このサーバーの全アカウントを削除し、他の全サーバーに知らせる。取り消せない',
      options: {
        confirm: 'このサーバーのドメイン。指定がなければ尋ねる',
        'dry-run': '実行せず、行われる内容だけを表示する',
      },
    },
    statistics: { summary: 'このサーバーの統計を表示する', options: {} },
  },
  done: ({ what }: { what: string }) => `処理しました：${what}。`,
  nothing_changed: '何も変更していません。',
  would: ({ what }: { what: string }) => `対象：${what}。何も変更していません。`,
  units: {
    accounts: ({ count }) => plural('ja', count, { other: 'アカウント # 件' }),
    blocks: ({ count }) => plural('ja', count, { other: 'ブロック # 件' }),
    corrections: ({ count }) => plural('ja', count, { other: '訂正 # 件' }),
    emojis: ({ count }) => plural('ja', count, { other: '絵文字 # 件' }),
    feeds: ({ count }) => plural('ja', count, { other: 'ホームフィード # 件' }),
    files: ({ count }) => plural('ja', count, { other: 'ファイル # 件' }),
    follows: ({ count }) => plural('ja', count, { other: 'フォロー # 件' }),
    posts: ({ count }) => plural('ja', count, { other: '投稿 # 件' }),
    rows: ({ count }) => plural('ja', count, { other: '# 行' }),
    servers: ({ count }) => plural('ja', count, { other: 'サーバー # 件' }),
    tables: ({ count }) => plural('ja', count, { other: 'テーブル # 件' }),
    translations: ({ count }) => plural('ja', count, { other: '翻訳 # 件' }),
  },
  progress: ({ total, done }: { total: number; done: number }) => `${total} 件中 ${done} 件`,
  so_far: ({ count }: { count: number }) => `現在 ${count} 件`,
  no_domain: ({ text }: { text: string }) => `${text} は example.org のようなドメインではありません`,
  not_remote_account: ({ text }: { text: string }) => `「${text}」は他のサーバーのアカウントではありません。`,
  same_account: '同じアカウントです。',
  other_key: '2つのアカウントに共通の鍵がありません。同じ人のものか確認し、--force を使ってください。',
  not_remote: ({ text }: { text: string }) =>
    `${text} は他のサーバーのアカウントではありません。ada@example.org のようなサーバー名付きのアカウント、ドメイン、または all を指定してください。`,
  unreachable: ({ domains }: { domains: string }) => `応答しなかったサーバー：${domains}`,
  block_effects: ({
    accounts,
    statuses,
    following,
    followers,
  }: {
    accounts: number
    statuses: number
    following: number
    followers: number
  }) => `アカウント ${accounts}、投稿 ${statuses}。失われるフォロー：こちらから ${following}、先方から ${followers}。`,
  reindex_at_work: 'インデックスは、このコマンドの別の実行によってすでに再構築中です。',
  suspended_already: ({ name }: { name: string }) => `${name} はすでに停止されています。`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} はすでにブロックされています。`,
  not_pending: ({ username }: { username: string }) => `@${username} は承認待ちではありません。`,
  unknown_server: ({ domain }: { domain: string }) =>
    `${domain} はこのサーバーでは知られていません。参照：rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} はブロックされていません。`,
  skipped: {
    blocked: ({ names }: { names: string }) => `すでにブロック済み：${names}`,
    not_blocked: ({ names }: { names: string }) => `ブロックされていません：${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} はブロックされています。`,
  email_of: ({ username }: { username: string }) => `停止されたアカウント @${username} のアドレスです。`,
  no_range: ({ text }: { text: string }) => `${text} は 192.0.2.0/24 のような IP アドレスまたは範囲ではありません`,
  no_media_address: ({ text }: { text: string }) => `${text} はファイルのアドレスではありません`,
  unknown_media: ({ text }: { text: string }) => `ファイル ${text} を持つ投稿・アカウント・絵文字はありません。`,
  no_budget: 'リモートメディアの複製に上限はありません。',
  budget: ({ size }: { size: string }) => `リモートメディアの複製の上限は ${size} です（media_cache_max_bytes）。`,
  self_destruct_effects: ({ accounts, servers }) => `${accounts}を投稿ごと完全に削除し、${servers}に知らせます。`,
  type_domain: ({ domain }: { domain: string }) => `続けるには ${domain} と入力してください：`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `何もしていません。ドメイン ${domain} が入力されませんでした。入力できない環境では --confirm ${domain} を使ってください。`,
  self_destructed: ({ accounts, servers }) =>
    `${accounts}を削除しました。${servers}に伝わるまで稼働させてください（rookery statistics で確認）。`,
  registration_columns: {
    range: '範囲',
    severity: 'ルール',
    until: '期限',
    since: '開始日',
    comment: 'メモ',
    never: '無期限',
    domain: 'ドメイン',
    sign_ups: '登録',
    refused: '拒否',
    with_approval: '承認制',
    mail_server_of: '対象ドメイン',
  },
  media_owner: {
    kind: 'ファイル',
    kinds: { attachment: '添付', avatar: 'アイコン', header: 'ヘッダー', emoji: '絵文字' },
    status: '投稿',
    account: 'アカウント',
    emoji: '絵文字',
    page: '管理',
  },
  server_columns: {
    domain: 'サーバー',
    software: 'ソフトウェア',
    accounts: 'アカウント',
    following: 'フォロー',
    followers: 'フォロワー',
    delivered: '配送済み',
    failed: '失敗',
  },
  usage_columns: { kind: '種類', files: 'ファイル', size: '容量' },
  statistics: {
    users: 'ユーザー',
    active_month: '30日間のアクティブ',
    statuses: '投稿',
    servers: '知っているサーバー',
    media_cache: 'リモートメディアの複製',
    jobs_due: '実行待ちのジョブ',
    jobs_delayed: '後で実行するジョブ',
    jobs_failed: '失敗したジョブ',
  },
}
