// The part of Markdown that documents of administrators need: headings, paragraphs, lists, quotes, rules, emphasis, code and
// links. Everything else, HTML included, stays text. Takes linear time.

import { escapeHtml } from '../html.ts'

const MAX_NESTING = 4

/** HTML that still has to pass the sanitiser, which checks the addresses of links. */
export function markdownToHtml(text: string): string {
  return blocks(text.replace(/\r\n?/g, '\n').replaceAll('\0', '').split('\n'), 0)
}

type Block = { take: (line: string) => boolean; render: (lines: string[], depth: number) => string }

const BULLET = /^ ?[-*+] /
const NUMBER = /^ ?\d{1,9}[.)] /
const HEADING = /^(#{1,6}) +(.*)$/
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/
const QUOTE = /^ {0,3}> ?/
const FENCE = /^ {0,3}```/
const INDENTED = /^ {2,}\S/

const isPlain = (line: string): boolean =>
  line.trim() !== '' && ![BULLET, NUMBER, HEADING, RULE, QUOTE, FENCE].some((pattern) => pattern.test(line))

function blocks(lines: readonly string[], depth: number): string {
  let html = ''
  for (let at = 0; at < lines.length;) {
    const line = lines[at] as string
    const heading = HEADING.exec(line)
    if (line.trim() === '' || RULE.test(line)) at++
    else if (heading) {
      const level = (heading[1] as string).length
      html += `<h${level}>${inline(heading[2] as string)}</h${level}>`
      at++
    } else if (FENCE.test(line)) {
      const end = lines.findIndex((other, index) => index > at && FENCE.test(other))
      const last = end === -1 ? lines.length : end
      html += `<pre><code>${escapeHtml(lines.slice(at + 1, last).join('\n'))}</code></pre>`
      at = last + 1
    } else {
      const block = BLOCKS.find(({ take }) => take(line)) as Block
      const from = at++
      while (at < lines.length && belongs(block, lines[at] as string)) at++
      html += block.render(lines.slice(from, at), depth)
    }
  }
  return html
}

/** A list goes on with indented lines, and a paragraph until something else begins. */
const belongs = (block: Block, line: string): boolean =>
  block.take(line) || (block !== PARAGRAPH && (INDENTED.test(line) || (block === QUOTED && isPlain(line))))

/** Two spaces or a backslash at its end break a line. */
const paragraphLine = (line: string, at: number, { length }: readonly string[]): string => {
  const isBroken = line.endsWith('  ') || line.endsWith('\\')
  const text = inline((isBroken ? line.replace(/\\$/, '') : line).trim())
  return at === length - 1 ? text : `${text}${isBroken ? '<br />' : '\n'}`
}

const PARAGRAPH: Block = {
  take: isPlain,
  render: (lines) => `<p>${lines.map(paragraphLine).join('')}</p>`,
}
const QUOTED: Block = {
  take: (line) => QUOTE.test(line),
  render: (lines, depth) =>
    `<blockquote>${nested(
      lines.map((line) => line.replace(QUOTE, '')),
      depth,
    )}</blockquote>`,
}
const list = (tag: 'ul' | 'ol', marker: RegExp): Block => ({
  take: (line) => marker.test(line),
  render(lines, depth) {
    const items: string[][] = []
    for (const line of lines)
      if (marker.test(line)) items.push([line.replace(marker, '')])
      else items.at(-1)?.push(line.replace(/^ {1,4}/, ''))
    return `<${tag}>${items.map((item) => `<li>${tight(nested(item, depth))}</li>`).join('')}</${tag}>`
  },
})
const BLOCKS: readonly Block[] = [list('ul', BULLET), list('ol', NUMBER), QUOTED, PARAGRAPH]

const nested = (lines: string[], depth: number): string =>
  depth >= MAX_NESTING ? `<p>${inline(lines.join(' '))}</p>` : blocks(lines, depth + 1)

/** An item of a single paragraph is shown without one. */
const tight = (html: string): string =>
  html.startsWith('<p>') && html.indexOf('</p>') === html.length - 4 ? html.slice(3, -4) : html

const INLINE =
  /`([^`]{1,500})`|\[([^\][]{1,500})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>()"']{1,2000}[^\s<>()"'.,;:!?])|\*\*([^*]{1,1000})\*\*|\*([^*\s][^*]{0,1000})\*|(?<![\p{L}\p{N}_])_([^_\s][^_]{0,1000})_(?![\p{L}\p{N}_])/gu

function inline(text: string): string {
  let html = ''
  let position = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, href, url, strong, ...emphasis] = match
    html += escapeHtml(text.slice(position, match.index))
    position = match.index + whole.length
    const slanted = emphasis.find((part) => part !== undefined)
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (href !== undefined) html += link(href, label ?? '')
    else if (url !== undefined) html += link(url, url)
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`
    else html += `<em>${escapeHtml(slanted ?? '')}</em>`
  }
  return html + escapeHtml(text.slice(position))
}

const link = (href: string, label: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
