/** Structured Field Values for HTTP (RFC 8941), as far as message signatures need them: dictionaries. */

export type BareItem =
  | { type: 'string' | 'token'; value: string }
  | { type: 'integer'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'bytes'; value: Buffer }

export interface Item {
  bare: BareItem
  parameters: Map<string, BareItem>
}

export interface InnerList {
  items: Item[]
  parameters: Map<string, BareItem>
}

export type Member = Item | InnerList

const maxLength = 16_384

/** Null when the text is not a dictionary, repeats a key, or has types that signatures do not use. Linear. */
export function parseDictionary(text: string): Map<string, Member> | null {
  if (text.length > maxLength) return null
  const scanner = createScanner(text.trim())
  const members = new Map<string, Member>()
  try {
    for (;;) {
      const key = scanner.take(keyPattern)[0]
      if (members.has(key)) return null
      members.set(
        key,
        scanner.try(/=/y)
          ? parseMember(scanner)
          : { bare: { type: 'boolean', value: true }, parameters: parseParameters(scanner) },
      )
      if (scanner.atEnd()) return members
      scanner.take(/[ \t]*,[ \t]*/y)
    }
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

/** The canonical text of an inner list with its parameters: the value of `@signature-params`. */
export function serialiseInnerList(list: InnerList): string {
  return (
    `(${list.items.map((item) => serialiseBare(item.bare) + serialiseParameters(item.parameters)).join(' ')})` +
    serialiseParameters(list.parameters)
  )
}

function serialiseParameters(parameters: Map<string, BareItem>): string {
  return [...parameters]
    .map(([key, bare]) => (bare.type === 'boolean' && bare.value ? `;${key}` : `;${key}=${serialiseBare(bare)}`))
    .join('')
}

function serialiseBare(bare: BareItem): string {
  if (bare.type === 'string') return `"${bare.value.replace(/["\\]/g, '\\$&')}"`
  if (bare.type === 'bytes') return `:${bare.value.toString('base64')}:`
  if (bare.type === 'boolean') return bare.value ? '?1' : '?0'
  return String(bare.value)
}

const keyPattern = /[a-z*][a-z0-9_.*-]*/y

class Malformed extends Error {}

type Scanner = ReturnType<typeof createScanner>

function createScanner(text: string) {
  let position = 0
  const scanner = {
    atEnd: () => position === text.length,
    try(pattern: RegExp): RegExpExecArray | null {
      pattern.lastIndex = position
      const match = pattern.exec(text)
      if (match !== null) position = pattern.lastIndex
      return match
    },
    take(pattern: RegExp): RegExpExecArray {
      const match = scanner.try(pattern)
      if (match === null) throw new Malformed()
      return match
    },
  }
  return scanner
}

function parseMember(scanner: Scanner): Member {
  if (!scanner.try(/\(/y)) return parseItem(scanner)
  const items: Item[] = []
  for (;;) {
    scanner.try(/ */y)
    if (scanner.try(/\)/y)) return { items, parameters: parseParameters(scanner) }
    items.push(parseItem(scanner))
    scanner.take(/(?=[ )])/y)
  }
}

function parseItem(scanner: Scanner): Item {
  return { bare: parseBare(scanner), parameters: parseParameters(scanner) }
}

function parseParameters(scanner: Scanner): Map<string, BareItem> {
  const parameters = new Map<string, BareItem>()
  while (scanner.try(/;/y)) {
    scanner.try(/ */y)
    const key = scanner.take(keyPattern)[0]
    if (parameters.has(key)) throw new Malformed()
    parameters.set(key, scanner.try(/=/y) ? parseBare(scanner) : { type: 'boolean', value: true })
  }
  return parameters
}

function parseBare(scanner: Scanner): BareItem {
  const match = scanner.take(
    /"((?:[ !#-[\]-~]|\\["\\])*)"|:([A-Za-z0-9+/]*={0,2}):|\?([01])|(-?\d{1,15})(?![\d.])|([A-Za-z*][!#$%&'*+.^_`|~\w:/-]*)/y,
  )
  const [, string, bytes, boolean, integer, token] = match
  if (string !== undefined) return { type: 'string', value: string.replace(/\\(.)/g, '$1') }
  if (bytes !== undefined) return { type: 'bytes', value: Buffer.from(bytes, 'base64') }
  if (boolean !== undefined) return { type: 'boolean', value: boolean === '1' }
  if (integer !== undefined) return { type: 'integer', value: Number(integer) }
  return { type: 'token', value: token! }
}
