import type { ClientQrTexts } from '../../en/client/qr.ts'

export const jaClientQr: ClientQrTexts = {
  label: ({ handle }: { handle: string }) => `${handle}のアドレスのQRコード`,
  hint: 'スマートフォンで読み取るとプロフィールが開きます。',
}
