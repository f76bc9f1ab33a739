export const enClientQr = {
  label: ({ handle }: { handle: string }) => `QR code with the address of ${handle}`,
  hint: 'Others scan it with their phone to open the profile.',
}

export type ClientQrTexts = typeof enClientQr
