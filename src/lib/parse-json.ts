/** Deeper than any document of the fediverse. Whatever walks a parsed document recursively can rely on it. */
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}')

/** Parses JSON of another server, as UTF-8. Throws SyntaxError where it is malformed or nested too deeply. */
export function parseForeignJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new SyntaxError('The JSON is nested too deeply')
  return JSON.parse(bytes.toString('utf8'))
}

/** Counts brackets outside of strings. Bytes will do: UTF-8 has no such byte inside another character. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
  }
  return false
}
