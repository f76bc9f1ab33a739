import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const jaClientAppearance: ClientAppearanceTexts = {
  add_column: 'カラムを追加',
  move_left: '左へ移動',
  move_right: '右へ移動',
  remove_column: 'カラムを削除',
}
