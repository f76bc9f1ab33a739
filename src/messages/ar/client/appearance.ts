import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const arClientAppearance: ClientAppearanceTexts = {
  add_column: 'إضافة عمود',
  move_left: 'نقل نحو البداية',
  move_right: 'نقل نحو النهاية',
  remove_column: 'إزالة العمود',
}
