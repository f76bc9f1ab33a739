export const enClientColumns = {
  pin: 'Pin this screen',
  as_column: 'Show as a column',
  in_navigation: 'Show in the navigation',
  column_added: 'Added to your columns',
  shortcut_added: 'Added to the navigation',
}

export type ClientColumnsTexts = typeof enClientColumns
