import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const arClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'الكتابة في نافذة مستقلة',
  pop_in: 'العودة إلى النافذة الرئيسية',
  blocked: 'لم يفتح المتصفح نافذة. اسمح لهذا الموقع بفتح النوافذ المنبثقة ثم أعد المحاولة.',
  not_stored: 'تعذّر على هذا المتصفح حفظ المسودة، لذلك تبقى في هذه النافذة.',
}
