// The links of a post's HTML, as our formatter and sanitiser write it.

import { readAttributes } from '../html.ts'

/** What is searched; posts are not longer than this by much. Characters. */
const LONGEST = 64 * 1024
const WITH_CLASSES = /<(p|span) class="([^"<>]*)">/g
const LINK = /<a ([^<>]*)>/g
// Mentions and hashtags are links too, but not to anything that has a preview.
const NOT_A_LINK = /\b(?:mention|hashtag|u-url|h-card)\b/

/** Where a post links to on the web, in order, each once. Mentions, hashtags and what stands in for a quote do not count. */
export function findLinks(html: string): string[] {
  const links = new Set<string>()
  for (const [, text = ''] of withoutQuotes(html.slice(0, LONGEST)).matchAll(LINK)) {
    const attributes = readAttributes(text)
    const href = attributes.get('href') ?? ''
    if (!/^https?:\/\//i.test(href) || NOT_A_LINK.test(attributes.get('class') ?? '')) continue
    if (attributes.get('rel')?.split(' ').includes('tag')) continue
    const url = URL.parse(href)
    if (url !== null && url.username === '' && url.password === '') links.add(href)
  }
  return [...links]
}

/** HTML without the elements that stand in for a quote. Linear: where an element is not closed, no later one is looked for. */
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
