const COLONS: Readonly<Record<string, string>> = { fr: '\u202F: ', ja: '：' }

/** What stands between a label and a value that come from different texts: `: ` in most languages. */
export const colonOf = (language: string): string => COLONS[language] ?? ': '
