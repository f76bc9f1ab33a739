import type { CliBackupTexts } from '../en/cli-backup.ts'
import { plural } from '../plural.ts'

export const jaCliBackup: CliBackupTexts = {
  commands: {
    backup: {
      summary: 'サーバーの稼働中に、データベース・鍵・全メディアの一覧を一つのアーカイブに書き出す',
      options: {
        media:
          'アップロードされたファイルもアーカイブに入れる。リモートメディアの複製はサーバーが再取得するため含めない',
      },
    },
    restore: {
      summary: '`rookery backup` のアーカイブを空のサーバーに復元する。先にアーカイブ全体を検証する',
      options: { 'dry-run': 'アーカイブの検証だけを行う' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `${file} はすでにあります。別の名前を選んでください。`,
    no_file: ({ file }: { file: string }) => `${file} を読み取れません。`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `${file} に書き込めません（${code}）。フォルダーがあるか、このユーザーが書き込めるか、ディスクに空きがあるかを確認してください。`,
    not_a_backup: ({ file }: { file: string }) => `${file} は rookery backup のアーカイブではありません。`,
    damaged: ({ member }: { member: string }) => `アーカイブが壊れています（${member}）。何も変更していません。`,
    incomplete: 'アーカイブが不完全です。何も変更していません。',
    newer: ({ version }: { version: string }) =>
      `アーカイブは Rookery ${version} のもので、このバージョンでは扱えません。更新するか、そのバージョンを使ってください。何も変更していません。`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `アーカイブは ${theirs} のものですが、このサーバーは ${own} です。LOCAL_DOMAIN=${theirs} を設定してください。何も変更していません。`,
    other_secret:
      'SECRET_KEY_BASE がアーカイブのものと異なります。設定を外すか、アーカイブの値にしてください。何も変更していません。',
    no_secret:
      '秘密鍵を読み取れません。サーバーのユーザーで、同じ DATA_DIR と SECRET_KEY_BASE を使って実行してください。',
    not_migrated: 'このデータベースに Rookery はありません。',
    not_empty:
      'このサーバーにはすでにアカウントか投稿があります。復元は空のサーバーにだけ行えます。何も変更していません。',
    running: 'サーバーが稼働中です。先に停止してください。何も変更していません。',
  },
  tables: ({ total, done, table, size }: { total: number; done: number; table: string; size: string }) =>
    `${total} テーブル中 ${done}（${table}）、${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `検証中、${size}`,
    restore: ({ size }: { size: string }) => `復元中、${size}`,
    check: '復元したデータを確認中',
  },
  done: ({ file, rows, files, included, size }) =>
    `${file} を書き出しました：${rows}、一覧の${files}、収録 ${included} 件、${size}。鍵を含むため、他人に見せないでください。`,
  good: ({ domain, date, rows, files }) => `${date} の ${domain} のアーカイブは完全です：${rows}、${files}。`,
  restored: ({ domain, date, rows, files }) =>
    `${domain} を ${date} の状態に復元しました：${rows}、${files}。サーバーを起動してください。`,
  missing: ({ count }) =>
    plural('ja', count, { other: 'アップロードされたファイルが # 個ありません。' }) +
    '以前のデータディレクトリの files/ フォルダーをここにコピーしてください。',
}
