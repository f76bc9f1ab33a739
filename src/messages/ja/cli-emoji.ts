import type { CliEmojiTexts } from '../en/cli-emoji.ts'

export const jaCliEmoji: CliEmojiTexts = {
  commands: {
    'emoji import': {
      summary: 'フォルダー、tar、tar.gzの画像、または1枚の画像を、ファイル名を名前とするカスタム絵文字として追加する',
      options: {
        prefix: '各名前の前に付ける文字',
        suffix: '各名前の後に付ける文字',
        category: '絵文字のカテゴリー',
        overwrite: '既存の絵文字の画像を置き換える（指定しない場合は飛ばす）',
        unlisted: 'アプリの絵文字一覧に表示しない',
        'dry-run': '追加される内容を表示するだけ',
      },
    },
    'emoji export': {
      summary: 'このサーバーのカスタム絵文字を新しいtar.gzに書き出す',
      options: { category: 'このカテゴリーだけ' },
    },
    'emoji purge': {
      summary: 'カスタム絵文字を削除する',
      options: {
        remote: '他のサーバーの絵文字すべて（使われると再び一覧に載る）',
        suspended: '停止されたサーバーの絵文字だけ',
        domain: '1つのサーバーの絵文字',
        local: 'このサーバーの絵文字',
        'dry-run': '数えるだけ',
        yes: 'このサーバーの絵文字の削除を確認する',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }) =>
    `追加${imported}、置き換え${replaced}、スキップ${skipped}、失敗${failed}`,
  exported: ({ emojis, file }) => `${file}に書き出しました：${emojis}`,
  exists: ({ file }) => `${file}はすでに存在します。別の名前を選んでください。`,
  unreadable: ({ file }) => `${file}を読み書きできません。`,
  not_an_archive: ({ file }) =>
    `${file}はPNG、GIF、WebPの画像でも、その完全なtarまたはtar.gzアーカイブでもありません。`,
}
