// Allows what Mastodon allows in remote HTML.

import type sanitizeHtml from 'sanitize-html'
import { endOfTags, readAttributes } from './html.ts'
import { lazyRequire } from './lazy-require.ts'

/** With its 80 modules. */
const sanitizer = lazyRequire<typeof sanitizeHtml>('sanitize-html')

const MAX_INPUT = 100_000
// Bytes of stored HTML: escaping makes five of one, and a page contains 40 statuses.
const MAX_STATUS_BYTES = 64 * 1024
const MAX_DOCUMENT_BYTES = 512 * 1024
const MAX_NOTE_BYTES = 20 * 1024
const MAX_FIELD_BYTES = 4 * 1024
// 0.05 s for this many, of which half are open and half close none of them.
const MAX_TAGS = 6000
const MAX_NESTING = 32
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/g
// The limit of URLs everywhere; a longer link becomes text.
const MAX_URL = 2048
const MAX_CLASSES = 500
const MAX_ALT = 1500

const SCHEMES = ['http', 'https', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'xmpp', 'magnet', 'gemini']
const INLINE = ['a', 'span', 'br', 'del', 'code', 'em', 'strong', 'b', 'i', 'u', 'ruby', 'rt', 'rp']
const BLOCKS = ['p', 'pre', 'ul', 'ol', 'li', 'blockquote']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const CLASSES = [/^(?:h|p|u|dt|e)-[\w-]+$/i, 'mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline']

const DROPPED_WITH_CONTENT =
  `script style noscript template title head textarea select option xmp plaintext noembed noframes
  iframe object embed applet audio video canvas svg mglyph annotation-xml`.split(/\s+/)

// Placeholder tags, which are replaced at the end. Renaming to a tag that is not allowed would be simpler, but then
// sanitize-html closes a later tag of that name.
const SEPARATOR = 'div'
const UNLINKED = 'x-unlinked'

// Unwrapped, but their content stays separate from its neighbours.
const SEPARATORS = `div section article aside main header footer nav address figure figcaption details summary hr form
  fieldset dl dt dd table caption tr td th center`.split(/\s+/)

type Attributes = Record<string, string>

/** Headings and line breaks are replaced in their bare form. */
const languages = Object.fromEntries([...INLINE, ...BLOCKS].filter((tag) => tag !== 'br').map((tag) => [tag, ['lang']]))

const common: sanitizeHtml.IOptions = {
  nonTextTags: DROPPED_WITH_CONTENT,
  nestingLimit: MAX_NESTING,
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
}

const asSeparator = (): sanitizeHtml.Tag => ({ tagName: SEPARATOR, attribs: {} })
const separators = Object.fromEntries(SEPARATORS.map((tag) => [tag, asSeparator]))
const asAltText = (_tag: string, { alt }: Attributes): sanitizeHtml.Tag => ({
  tagName: 'img',
  attribs: alt ? { alt: alt.slice(0, MAX_ALT).toWellFormed() } : {},
})

const formatted: sanitizeHtml.IOptions = {
  ...common,
  allowedTags: [...INLINE, ...BLOCKS, ...HEADINGS, SEPARATOR, UNLINKED, 'img'],
  allowedAttributes: {
    ...languages,
    a: ['href', 'rel', 'target', 'translate', 'lang'],
    span: ['translate', 'lang'],
    ol: ['start', 'reversed', 'lang'],
    li: ['value', 'lang'],
    img: ['alt'],
  },
  allowedClasses: { a: CLASSES, span: CLASSES, p: ['quote-inline'] },
  transformTags: {
    ...separators,
    s: 'del',
    strike: 'del',
    a: (_tag, attributes) => link(attributes, ['tag']),
    span: (_tag, attributes) => ({ tagName: 'span', attribs: styling(attributes) }),
    ol: (_tag, attributes) => ({ tagName: 'ol', attribs: onlyInteger('start', attributes) }),
    li: (_tag, attributes) => ({ tagName: 'li', attribs: onlyInteger('value', attributes) }),
    img: asAltText,
  },
}

const inline: sanitizeHtml.IOptions = {
  ...formatted,
  allowedTags: ['a', 'span', 'br', SEPARATOR, UNLINKED, 'img'],
  allowedClasses: { a: CLASSES, span: CLASSES },
  transformTags: {
    ...separators,
    ...Object.fromEntries([...BLOCKS, ...HEADINGS].map((tag) => [tag, asSeparator])),
    span: (_tag, attributes) => ({ tagName: 'span', attribs: styling(attributes) }),
    img: asAltText,
    a: (_tag, attributes) => link(attributes, ['tag', 'me']),
  },
}

export const sanitizeStatusHtml = (html: string): string => within(MAX_STATUS_BYTES, html, sanitizeBlocks)

/** A document of administrators, which keeps its headings. */
export const sanitizeDocument = (html: string): string =>
  within(MAX_DOCUMENT_BYTES, html, (input) => withBreaks(sanitizer()(input, formatted)))

export const sanitizeNote = (html: string): string => within(MAX_NOTE_BYTES, html, sanitizeBlocks)

/** One line: only links, which may have `rel="me"`, and spans. */
export const sanitizeField = (html: string): string => within(MAX_FIELD_BYTES, html, sanitizeLine)

const sanitizeBlocks = (html: string): string =>
  withBreaks(sanitizer()(html, formatted))
    .replace(/<h[1-6]>/g, '<p><strong>')
    .replace(/<\/h[1-6]>/g, '</strong></p>')

const sanitizeLine = (html: string): string =>
  withoutPlaceholders(sanitizer()(html, inline))
    .replace(/(?:<br \/>|<\/?div>|[\r\n\t])+/g, ' ')
    .trim()

export const hasTags = (html: string): boolean => /<\/?[a-z]/i.test(html)

/** Makes paragraphs of lines without any tag, which some servers send in place of HTML, such as Gancio and Lotide. */
export function withParagraphs(html: string): string {
  if (hasTags(html)) return html
  const lines = html.split(/\r\n?|\n/).map((line) => line.trim())
  const text = lines.join('\n').trim()
  if (!text.includes('\n')) return html
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
  return paragraphs.join('')
}

/** Sanitises the longest beginning whose result has at most `bytes`. */
function within(bytes: number, html: string, sanitize: (html: string) => string): string {
  let input = bounded(html)
  for (let turn = 0; turn < 4; turn++) {
    const safe = sanitize(input)
    const size = Buffer.byteLength(safe)
    if (size <= bytes) return safe
    input = bounded(input, Math.floor(((input.length * bytes) / size) * 0.9))
  }
  return ''
}

const plain: sanitizeHtml.IOptions = {
  ...common,
  allowedTags: ['br', 'p', 'pre', 'blockquote', 'ul', 'ol', 'li', ...HEADINGS, SEPARATOR, 'img'],
  allowedAttributes: { img: ['alt'] },
  transformTags: { ...separators, img: asAltText },
  textFilter: (text, tag) => (tag === 'pre' || tag === 'code' ? text : text.replace(/[ \t\r\n\f]+/g, ' ')),
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Plain text with line breaks, for previews, search and notifications. Not escaped. */
export function htmlToText(html: string): string {
  const text = withoutPlaceholders(sanitizer()(bounded(html), plain))
    .replace(/<br \/>|(?:<\/?(?:div|li)> ?)+/g, '\n')
    .replace(/<\/?(?:p|pre|blockquote|ul|ol|h[1-6])>/g, '\n\n')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
  const lines = text.split('\n').map((line) => line.trimEnd().replace(/^ (?=\S)/, ''))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function bounded(html: string, longest = MAX_INPUT): string {
  // PostgreSQL refuses NUL, which marks separators below. In JSON, other control characters take six bytes.
  const text = withFormulas(html.replace(CONTROLS, (unit) => (unit === '\0' ? '' : ' ')))
  const end = Math.min(longest, endOfTags(text, MAX_TAGS))
  if (end === text.length) return text
  const cut = text.slice(0, end).toWellFormed()
  const openTag = cut.lastIndexOf('<')
  return openTag > cut.lastIndexOf('>') ? cut.slice(0, openTag) : cut
}

const MATH = /<math(?=[\s>])([^<>]*)>|<\/math\s*>/gi
const ANNOTATION = /<annotation(?=[\s>])([^<>]*)>([^<]*)<\/annotation\s*>/gi
const END_OF_SYMBOL = /<\/m(?:i|n|o|s|text)\s*>/gi

/** Shows formulas (MathML) as the text that they are annotated with, LaTeX in dollar signs (FEP-dc88). Linear. */
function withFormulas(html: string): string {
  let [result, position] = ['', 0]
  let opening: RegExpExecArray | null = null
  for (const tag of html.matchAll(MATH)) {
    const opens = tag[1] !== undefined
    if (opens) opening ??= tag
    if (opens || !opening) continue
    const formula = html.slice(opening.index + opening[0].length, tag.index)
    result += html.slice(position, opening.index) + textOfFormula(formula, readAttributes(opening[1] ?? ''))
    position = tag.index + tag[0].length
    opening = null
  }
  return result + html.slice(position)
}

/** Without an annotation, the symbols remain, one beside the other. */
function textOfFormula(formula: string, attributes: ReadonlyMap<string, string>): string {
  const annotations = new Map<string, string>()
  for (const [, text = '', content = ''] of formula.matchAll(ANNOTATION))
    annotations.set(readAttributes(text).get('encoding') ?? 'text/plain', content.trim())
  const latex = annotations.get('application/x-tex')
  const mark = attributes.get('display') === 'block' ? '$$' : '$'
  if (latex) return mark + latex + mark
  return annotations.get('text/plain') || formula.replace(ANNOTATION, '').replace(END_OF_SYMBOL, '$& ')
}

function link(attributes: Attributes, allowedRels: string[]): sanitizeHtml.Tag {
  const href = (attributes['href'] ?? '').replace(/[\t\r\n]/g, '').trim()
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase() ?? ''
  const isLink =
    href.length <= MAX_URL && SCHEMES.includes(scheme) && (!scheme.startsWith('http') || URL.canParse(href))
  if (!isLink) return { tagName: UNLINKED, attribs: {} }
  const claimed = (attributes['rel'] ?? '').slice(0, MAX_CLASSES).toLowerCase().split(/\s+/)
  const rel = [...allowedRels.filter((name) => claimed.includes(name)), 'nofollow', 'noopener'].join(' ')
  return { tagName: 'a', attribs: { href, ...styling(attributes), rel, target: '_blank' } }
}

// Classes are filtered afterwards. Only the value "no" of `translate` has an effect.
function styling({ class: list = '', translate, lang }: Attributes): Attributes {
  return {
    class: list.length <= MAX_CLASSES ? list : '',
    ...(translate === 'no' ? { translate } : {}),
    ...(lang === undefined ? {} : { lang }),
  }
}

function onlyInteger(name: string, attributes: Attributes): Attributes {
  const { [name]: number, ...rest } = attributes
  return number !== undefined && /^-?\d{1,9}$/.test(number) ? { ...rest, [name]: number } : rest
}

// sanitize-html writes these tags in exactly this form, with `"`, `<` and `>` escaped in values.
function withoutPlaceholders(html: string): string {
  let unlinked = 0
  return html
    .replace(/<(\/?)(x-unlinked|span)(?: [^<>]*)?>/g, (tag, slash: string, name: string) => {
      if (name === UNLINKED) unlinked += slash === '' ? 1 : -1
      // Spans shorten the address that a link shows: without the link, it must be readable as a whole.
      return name === UNLINKED || unlinked > 0 ? '' : tag
    })
    .replace(/<img(?: alt(?:="([^"]*)")?)? \/>/g, (_tag, alt: string | undefined) => alt ?? '')
}

const EDGE = '<\\/?(?:p|pre|ul|ol|li|blockquote|h[1-6])(?: [^>]*)?>|<br \\/>'
const SEPARATOR_AFTER_EDGE = new RegExp(`(^|${EDGE})\\0`, 'g')
const SEPARATOR_BEFORE_EDGE = new RegExp(`\\0(?=$|${EDGE})`, 'g')

// A separator becomes a line break, except at the edge of the text or of a block, which separates already.
function withBreaks(html: string): string {
  return withoutPlaceholders(html)
    .replace(/<\/?div>/g, '\0')
    .replace(/\0[\0\s]*/g, '\0')
    .replace(SEPARATOR_AFTER_EDGE, '$1')
    .replace(SEPARATOR_BEFORE_EDGE, '')
    .replaceAll('\0', '<br />')
}
