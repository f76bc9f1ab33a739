import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const arClientColumns: ClientColumnsTexts = {
  pin: 'عرض كعمود',
  added: 'أُضيف إلى أعمدتك',
}
