import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const frClientColumns: ClientColumnsTexts = {
  pin: 'Afficher comme colonne',
  added: 'Ajouté à vos colonnes',
}
