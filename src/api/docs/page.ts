import { type Html, html } from '../../lib/html.ts'

type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  summary: string
  tags: [string]
  deprecated?: boolean
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  security?: { oauth?: string[] }[]
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

type Entry = { method: string; path: string; operation: Operation }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function docsBody(document: OpenApi): Html {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation })),
  )
  const nouns = [...Map.groupBy(entries, ({ operation }) => operation.tags[0])].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  const entities = Object.entries(document.components.schemas).toSorted(([one], [other]) => one.localeCompare(other))
  return html`<section class="card">
<h1>The API of this server</h1>
<p class="lead">What applications can ask for. It is the Mastodon API, so any Mastodon client works.</p>
<p>A machine-readable description (OpenAPI 3.1) is at <a href="/api/openapi.json">/api/openapi.json</a>. Parameters may be sent in the address, as a form or as JSON.</p>
<nav aria-label="Contents"><ul class="contents">${[...nouns.map(([noun]) => noun), 'entities'].map((id) => html`<li><a href="#${id}">${id}</a></li>`)}</ul></nav>
</section>
${nouns.map(([noun, operations]) => section(noun, operations.toSorted(byPath)))}
<section class="card" id="entities">
<h2>entities</h2>
${entities.map(([name, schema]) => entity(name, schema))}
</section>`
}

/** The content type when the response is not JSON. */
function responseText({ responses }: Operation): Html {
  const [type = '', { schema } = { schema: {} }] = Object.entries(responses[200]?.content ?? {})[0] ?? []
  return type === 'application/json' ? typeText(schema) : html`<code>${type}</code>`
}

function byPath(one: Entry, other: Entry): number {
  return one.path.localeCompare(other.path) || METHODS.indexOf(one.method) - METHODS.indexOf(other.method)
}

function section(noun: string, entries: Entry[]): Html {
  return html`<section class="card" id="${noun}">
<h2>${noun}</h2>
${entries.map(
  ({ method, path, operation }) => html`<details class="operation">
<summary><code>${method} ${path}</code><span>${operation.summary}${operation.deprecated && ' (deprecated)'}</span></summary>
<p>${access(operation)} Answers ${responseText(operation)}.</p>
${parameters(parametersOf(operation))}
</details>`,
)}
</section>`
}

function access({ security }: Operation): Html {
  if (!security) return html`No token is needed.`
  const scopes = security.flatMap(({ oauth }) => oauth ?? [])
  const named = scopes.map((scope, i) => html`${i > 0 && ' or '}<code>${scope}</code>`)
  if (security.some(({ oauth }) => !oauth))
    return scopes.length === 0
      ? html`No token is needed.`
      : html`No token is needed; a token that is sent needs ${named}.`
  return scopes.length === 0 ? html`Needs a token.` : html`Needs a token with ${named}.`
}

function parametersOf({ parameters: listed, requestBody }: Operation): Parameter[] {
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {}
  return [
    ...listed,
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'body',
      required: required.includes(name),
      schema,
    })),
  ]
}

function parameters(rows: Parameter[]): Html | null {
  if (rows.length === 0) return null
  return table(
    ['Parameter', 'Type', 'Where'],
    rows.map((row) => [
      html`<code>${row.name}</code>`,
      typeText(row.schema),
      html`${row.in}${row.required && ', required'}`,
    ]),
  )
}

function entity(name: string, schema: Schema): Html {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([member, type]) => [
    html`<code>${member}</code>`,
    typeText(type),
    html`${required.includes(member) ? 'always' : 'sometimes'}`,
  ])
  return html`<h3 class="entity" id="entity-${name}">${name}</h3>
${rows.length > 0 ? table(['Member', 'Type', 'There'], rows) : html`<p>${typeText(schema)}</p>`}`
}

function table(head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="table-scroll" tabindex="0" role="group"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`
}

type Schema = {
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

/** Null when the schema refers to no entity. */
const entityOf = (schema: Schema): string | null => schema.$ref?.replace('#/components/schemas/', '') ?? null

/** A type in words: "string", "list of Status", "Account or null". Entities are links to their description. */
function typeText(schema: Schema): Html {
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
