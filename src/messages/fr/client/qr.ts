import type { ClientQrTexts } from '../../en/client/qr.ts'

export const frClientQr: ClientQrTexts = {
  label: ({ handle }: { handle: string }) => `Code QR avec l’adresse de ${handle}`,
  hint: 'Les autres le scannent avec leur téléphone pour ouvrir le profil.',
}
