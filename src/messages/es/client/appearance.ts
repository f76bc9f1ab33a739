import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const esClientAppearance: ClientAppearanceTexts = {
  add_column: 'Añadir columna',
  move_left: 'Mover a la izquierda',
  move_right: 'Mover a la derecha',
  remove_column: 'Quitar columna',
}
