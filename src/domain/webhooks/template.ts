// Templates of webhook bodies: JSON with placeholders such as {{object.account.acct}}.

/** Characters. */
export const MAX_TEMPLATE = 10_000
/** Characters of a rendered body. */
const MAX_BODY = 1_000_000

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.]{1,200})\s*\}\}/y

/**
 * Replaces the placeholders by what the payload has at their paths, or null (in a string, nothing). In a string, text is
 * inserted as it is and other values as JSON; elsewhere, every value is JSON. Escaped, so that no value can change the
 * structure. Throws RangeError for a body that is too long.
 */
export function renderTemplate(template: string, payload: object): string {
  let body = ''
  let inString = false
  for (let i = 0; i < template.length;) {
    PLACEHOLDER.lastIndex = i
    const found = PLACEHOLDER.exec(template)
    if (found) {
      body += inString ? inText(valueAt(payload, found[1] as string)) : asJson(valueAt(payload, found[1] as string))
      i = PLACEHOLDER.lastIndex
      if (body.length > MAX_BODY) throw new RangeError('the body is too long')
      continue
    }
    const char = template[i] as string
    const escaped = inString && char === '\\'
    if (char === '"') inString = !inString
    body += escaped ? template.slice(i, i + 2) : char
    i += escaped ? 2 : 1
  }
  return body
}

/** Whether it renders to JSON for any payload. */
export function isTemplate(template: string): boolean {
  if (template.length > MAX_TEMPLATE) return false
  try {
    JSON.parse(renderTemplate(template, {}))
    return true
  } catch {
    return false
  }
}

function valueAt(payload: object, path: string): unknown {
  let value: unknown = payload
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const asJson = (value: unknown): string => JSON.stringify(value ?? null)

function inText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value)).slice(1, -1)
}
