import { plural } from '../../plural.ts'
import type { ClientTransferTexts } from '../../en/client/transfer.ts'

export const jaClientTransfer: ClientTransferTexts = {
  title: '設定をファイルで移す',
  explanation: 'この設定とカラムを別のブラウザーに移します。ファイルにパスワードなどの秘密は含まれません。',
  with_drafts: '下書きを含める',
  with_drafts_hint: 'テキストのみです。添付ファイルはこの端末に残ります。',
  export: 'エクスポート',
  import: 'インポート…',
  preview_title: 'この設定をインポートしますか？',
  from: '{account}（{time}）から',
  other_account: '別のアカウントのファイルなので、カラムと下書きは取り込みません。',
  nothing: 'すべてファイルと同じ状態です。',
  change: '{before} → {after}',
  on: 'オン',
  off: 'オフ',
  apply: 'インポート',
  imported: '設定をインポートしました',
  unknown: 'これは設定のファイルではありません。ここでエクスポートしたファイルを選んでください。',
  too_new: 'このファイルは新しいバージョンで作成されました。このページを再読み込みしてから、もう一度お試しください。',
  too_large: 'ファイルが大きすぎます。',
  drafts_added: ({ count }: { count: number }) => plural('ja', count, { other: '#件の下書きが追加されます。' }),
}
