// The links in the HTML of a status, in the form that the formatter and the sanitiser write.

import { readAttributes } from '../html.ts'

/** In characters. */
const MAX_LENGTH = 64 * 1024
const WITH_CLASSES = /<(p|span) class="([^"<>]*)">/g
const LINK = /<a ([^<>]*)>/g
// Mentions and hashtags are links without a preview.
const NOT_A_LINK = /\b(?:mention|hashtag|u-url|h-card)\b/

/** In order, each once, without mentions, hashtags and the link to a quoted status. */
export function findLinks(html: string): string[] {
  const links = new Set<string>()
  for (const [, text = ''] of withoutQuotes(html.slice(0, MAX_LENGTH)).matchAll(LINK)) {
    const attributes = readAttributes(text)
    const href = attributes.get('href') ?? ''
    if (!/^https?:\/\//i.test(href) || NOT_A_LINK.test(attributes.get('class') ?? '')) continue
    if (attributes.get('rel')?.split(' ').includes('tag')) continue
    const url = URL.parse(href)
    if (url !== null && url.username === '' && url.password === '') links.add(href)
  }
  return [...links]
}

/** Linear: after an unclosed element, it looks for no other of that tag. */
function withoutQuotes(html: string): string {
  const unclosed = new Set<string>()
  let [rest, position] = ['', 0]
  for (const { index, 0: opening, 1: tag = '', 2: classes = '' } of html.matchAll(WITH_CLASSES)) {
    if (index < position || unclosed.has(tag) || !classes.split(' ').includes('quote-inline')) continue
    const closing = `</${tag}>`
    const end = html.indexOf(closing, index + opening.length)
    if (end === -1) {
      unclosed.add(tag)
      continue
    }
    rest += html.slice(position, index)
    position = end + closing.length
  }
  return rest + html.slice(position)
}
