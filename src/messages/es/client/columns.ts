import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const esClientColumns: ClientColumnsTexts = {
  pin: 'Fijar esta pantalla',
  as_column: 'Mostrar como columna',
  in_navigation: 'Mostrar en la navegación',
  column_added: 'Añadido a tus columnas',
  shortcut_added: 'Añadido a la navegación',
}
