export const enClientColumns = {
  pin: 'Show as a column',
  added: 'Added to your columns',
}

export type ClientColumnsTexts = typeof enClientColumns
