import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const jaClientColumns: ClientColumnsTexts = {
  pin: 'この画面を固定',
  as_column: 'カラムとして表示',
  in_navigation: 'ナビゲーションに表示',
  column_added: 'カラムに追加しました',
  shortcut_added: 'ナビゲーションに追加しました',
}
