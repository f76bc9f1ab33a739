import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const frClientAppearance: ClientAppearanceTexts = {
  add_column: 'Ajouter une colonne',
  move_left: 'Déplacer vers la gauche',
  move_right: 'Déplacer vers la droite',
  remove_column: 'Retirer la colonne',
}
