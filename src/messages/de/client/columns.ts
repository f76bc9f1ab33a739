import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const deClientColumns: ClientColumnsTexts = {
  pin: 'Diese Ansicht anheften',
  as_column: 'Als Spalte anzeigen',
  in_navigation: 'In der Navigation anzeigen',
  column_added: 'Zu deinen Spalten hinzugefügt',
  shortcut_added: 'Zur Navigation hinzugefügt',
}
