import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const jaClientColumns: ClientColumnsTexts = {
  pin: 'カラムとして表示',
  added: 'カラムに追加しました',
}
