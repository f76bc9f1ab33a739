import type { ClientColumnsTexts } from '../../en/client/columns.ts'

export const arClientColumns: ClientColumnsTexts = {
  pin: 'تثبيت هذه الشاشة',
  as_column: 'عرض كعمود',
  in_navigation: 'عرض في شريط التنقل',
  column_added: 'أُضيف إلى أعمدتك',
  shortcut_added: 'أُضيف إلى شريط التنقل',
}
