import type { ClientQrTexts } from '../../en/client/qr.ts'

export const jaClientQr: ClientQrTexts = {
  show: 'QRコードを表示',
  label: ({ handle }: { handle: string }) => `${handle}のアドレスのQRコード`,
  hint: 'スマートフォンで読み取るとプロフィールが開きます。',
}
