import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const deClientColumns: ClientColumnsTexts = {
  pin: 'Als Spalte anzeigen',
  added: 'Zu deinen Spalten hinzugefügt',
}
