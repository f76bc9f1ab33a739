import type { ClientQrTexts } from '../../en/client/qr.ts'

export const arClientQr: ClientQrTexts = {
  label: ({ handle }: { handle: string }) => `رمز QR بعنوان ${handle}`,
  hint: 'يمسحه الآخرون بهواتفهم لفتح الملف الشخصي.',
}
