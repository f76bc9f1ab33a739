import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const deClientAppearance: ClientAppearanceTexts = {
  add_column: 'Spalte hinzufügen',
  move_left: 'Nach links schieben',
  move_right: 'Nach rechts schieben',
  remove_column: 'Spalte entfernen',
}
