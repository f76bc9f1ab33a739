// The JSON-LD in which news articles and web pages describe themselves: https://schema.org/NewsArticle
import { decodeEntities } from './page.ts'

/** Empty where the page names none. `image` and `authorUrl` are as written, possibly relative. */
export type StructuredData = {
  headline: string
  description: string
  image: string
  authorName: string
  authorUrl: string
  publisherName: string
  language: string
  publishedAt: string
}

type Thing = Readonly<Record<string, unknown>>

/** The article says more than the page that it is on. */
const TYPES = ['NewsArticle', 'WebPage']

/** Ignores invalid scripts, and things that are not the page. */
export function readStructuredData(scripts: readonly string[]): StructuredData {
  const things = scripts.flatMap(thingsOf)
  const ofType = (type: string): Thing | undefined => things.find((thing) => thing['@type'] === type)
  const page: Thing = TYPES.map(ofType).find(Boolean) ?? {}
  const author = firstOf(page['author'])
  return {
    headline: textOf(page['headline']),
    description: textOf(page['description']),
    image: memberOf(page['image'], 'url'),
    authorName: memberOf(page['author'], 'name'),
    authorUrl: isThing(author) ? textOf(author['url']) : '',
    publisherName: memberOf(page['publisher'], 'name'),
    language: memberOf(page['inLanguage'], 'alternateName'),
    publishedAt: textOf(page['datePublished']),
  }
}

function thingsOf(script: string): Thing[] {
  try {
    const json: unknown = JSON.parse(withoutCdata(script))
    return [json].flat().filter(isThing)
  } catch {
    return []
  }
}

/** XHTML pages wrap scripts in CDATA sections, whose marks are comments of JavaScript. */
function withoutCdata(script: string): string {
  const start = script.indexOf('<![CDATA[')
  const end = script.lastIndexOf(']]>')
  if (start === -1 || end < start) return script
  const section = script.slice(start + '<![CDATA['.length, end)
  return section.slice(section.search(/[{[]/), Math.max(section.lastIndexOf('}'), section.lastIndexOf(']')) + 1)
}

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** Of several values, the first counts. `value` may be the text itself. */
function memberOf(value: unknown, name: string): string {
  const first = firstOf(value)
  return textOf(isThing(first) ? first[name] : first)
}

/** Joins several texts. */
function textOf(value: unknown): string {
  const texts = [value].flat().filter((text) => typeof text === 'string')
  return decodeEntities(texts.join(', ')).trim()
}
