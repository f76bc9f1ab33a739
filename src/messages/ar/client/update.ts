import type { ClientUpdateTexts } from '../../en/client/update.ts'

export const arClientUpdate: ClientUpdateTexts = {
  ready: 'يتوفر إصدار جديد.',
  reload_to_update: 'إعادة التحميل للتحديث',
  incomplete: 'تعذّر تحميل جزء من هذه الصفحة.',
  reload: 'إعادة التحميل',
}
