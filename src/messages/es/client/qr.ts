import type { ClientQrTexts } from '../../en/client/qr.ts'

export const esClientQr: ClientQrTexts = {
  label: ({ handle }: { handle: string }) => `Código QR con la dirección de ${handle}`,
  hint: 'Otras personas lo escanean con su teléfono para abrir el perfil.',
}
