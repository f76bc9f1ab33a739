// JSON schemas in words, for people who read the documentation.
import { html, type Html } from '../../lib/html.ts'

export type Schema = {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  format?: string
  patternProperties?: Record<string, Schema>
  contentMediaType?: string
}

/** The name of an entity that a schema refers to, or null. */
const entityOf = (schema: Schema): string | null => schema.$ref?.replace('#/components/schemas/', '') ?? null

/** What a value is: "string", "list of Status", "Account or null". Entities are links to where they are described. */
export function typeText(schema: Schema): Html {
  const entity = entityOf(schema)
  if (entity !== null) return html`<a href="#entity-${entity}">${entity}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) return alternatives(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))
  if (schema.anyOf) return alternatives(schema.anyOf.map(typeText))
  if (schema.type === 'array') return html`list of ${typeText(schema.items ?? {})}`
  if (schema.type === 'object') return objectText(schema)
  if (schema.contentMediaType === 'application/octet-stream') return html`file`
  if (schema.format === 'date-time') return html`date and time`
  return html`${schema.type ?? 'anything'}`
}

function objectText({ properties = {}, patternProperties = {} }: Schema): Html {
  const names = Object.keys(properties)
  const [values] = Object.values(patternProperties)
  if (values) return html`map to ${typeText(values)}`
  if (names.length === 0) return html`object`
  return html`object of ${names.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}`
}

function alternatives(texts: readonly Html[]): Html {
  return html`${texts.map((text, i) => html`${i > 0 && ' or '}${text}`)}`
}
