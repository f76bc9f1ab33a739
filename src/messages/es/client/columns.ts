import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const esClientColumns: ClientColumnsTexts = {
  pin: 'Mostrar como columna',
  added: 'Añadido a tus columnas',
}
