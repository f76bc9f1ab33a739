/** Escapes characters that control a terminal, in the form of JSON. Tabs and line ends stay. */
export const escapeControls = (text: string): string =>
  text.replace(
    /(?!\r\n|[\t\n])[\p{Cc}\u2028\u2029]/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
