/** The text of the server's HTML: paragraphs and line breaks become line breaks. */
export function htmlToPlainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const each of body.querySelectorAll('br')) each.replaceWith('\n')
  for (const each of body.querySelectorAll('p + p')) each.prepend('\n\n')
  return body.textContent ?? ''
}
