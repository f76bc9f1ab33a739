/** The name of a language. `Intl` takes Twi for Akan, which lists would then have twice. */
export const languageNameFrom = (names: Intl.DisplayNames, code: string): string | undefined =>
  code === 'tw' ? 'Twi' : names.of(code)
