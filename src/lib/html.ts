// HTML written as tagged templates: everything interpolated is escaped unless it is HTML already.

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** Only `html` and `raw` create it, so data such as parsed JSON cannot pass for it. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** Text is escaped, `Html` and lists are inserted, `null`, `undefined` and booleans are omitted. */
export type HtmlValue = Html | string | number | bigint | boolean | null | undefined | readonly HtmlValue[]

/** Only for output of the formatter and the sanitiser. */
export function raw(trustedHtml: string): Html {
  return new Html(trustedHtml)
}

const checked = new WeakSet<TemplateStringsArray>()

/** Such as html`<p title="${text}">${text}</p>`. Throws when an attribute value is not quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  if (!checked.has(strings)) {
    assertQuotedAttributes(strings)
    checked.add(strings)
  }
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    markup += render(value) + (strings[index + 1] ?? '')
  }
  return new Html(markup)
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

// Escaping cannot protect an unquoted attribute, which ends at a space.
function assertQuotedAttributes(strings: TemplateStringsArray): void {
  const markup = strings.slice(0, -1)
  let before = ''
  for (const part of markup) {
    before += part
    const insideTag = before.lastIndexOf('<') > before.lastIndexOf('>')
    if (insideTag && /=\s*$/.test(part)) throw new Error(`Quote the attribute value after: ${part.slice(-40)}`)
  }
}

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** For `href` and `src`. Null unless the URL is absolute and http, https or mailto. */
export function safeUrl(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '')
  return url && SAFE_PROTOCOLS.has(url.protocol) ? url.href : null
}

/**
 * Where the first `max` tags end. Closing tags count too, and everything else that begins like a tag: the time of a parser grows
 * with the product of the tags that are open and those that close none of them.
 */
export function endOfTags(text: string, max: number): number {
  let at = text.indexOf('<')
  for (let tags = 0; at !== -1 && tags < max; tags++) at = text.indexOf('<', at + 1)
  return at === -1 ? text.length : at
}

const ATTRIBUTE = /(?:^|\s)([a-zA-Z][\w:-]{0,40})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Finds attributes without an HTML parser. By lower-case name; the first of a name counts. */
export function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, unescapeHtml(double ?? single ?? bare ?? ''))
  }
  return attributes
}

/** Resolves numeric entities and the named ones of XML. The result may contain NUL and half surrogate pairs. */
export function unescapeHtml(text: string): string {
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] as string
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
