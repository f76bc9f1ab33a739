import type { ClientQrTexts } from '../../en/client/qr.ts'

export const deClientQr: ClientQrTexts = {
  label: ({ handle }: { handle: string }) => `QR-Code mit der Adresse von ${handle}`,
  hint: 'Andere scannen ihn mit dem Handy, um das Profil zu öffnen.',
}
