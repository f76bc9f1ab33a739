import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const frClientColumns: ClientColumnsTexts = {
  pin: 'Épingler cet écran',
  as_column: 'Afficher comme colonne',
  in_navigation: 'Afficher dans la navigation',
  column_added: 'Ajouté à vos colonnes',
  shortcut_added: 'Ajouté à la navigation',
}
