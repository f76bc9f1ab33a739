export const enClientAppearance = {
  add_column: 'Add column',
  move_left: 'Move towards the start',
  move_right: 'Move towards the end',
  remove_column: 'Remove column',
}

export type ClientAppearanceTexts = typeof enClientAppearance
