// The links of a post's HTML, as our formatter and sanitiser write it.

/** What is searched; posts are not longer than this by much. Characters. */
const LONGEST = 64 * 1024
const QUOTED = /<p class="[^"]*\bquote-inline\b[^"]*">.*?<\/p>|<span class="[^"]*\bquote-inline\b[^"]*">.*?<\/span>/gs
const LINK = /<a ([^<>]*)>/g
// Mentions and hashtags are links too, but not to anything that has a preview.
const NOT_A_LINK = /\b(?:mention|hashtag|u-url|h-card)\b/
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** Where a post links to on the web, in order, each once. Mentions, hashtags and what stands in for a quote do not count. */
export function findLinks(html: string): string[] {
  const links = new Set<string>()
  for (const [, attributes = ''] of html.slice(0, LONGEST).replace(QUOTED, '').matchAll(LINK)) {
    const href = valueOf(attributes, 'href')
    if (!/^https?:\/\//i.test(href) || NOT_A_LINK.test(valueOf(attributes, 'class'))) continue
    if (valueOf(attributes, 'rel').split(' ').includes('tag')) continue
    const url = URL.parse(href)
    if (url !== null && url.username === '' && url.password === '') links.add(href)
  }
  return [...links]
}

function valueOf(attributes: string, name: string): string {
  const value = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string)
}
