import type { FastifyInstance } from 'fastify'
import Type, { type TObject, type TSchema } from 'typebox'
import { ALL_SCOPES } from '../domain/auth/scopes.ts'
import { takesFiles } from './data-uris.ts'
import type { Route } from './route.ts'

type Document = Record<string, unknown>

/** As SPDX names it. Some validators of OpenAPI 3.1 refuse a licence without an identifier or address. */
const LICENSE = 'AGPL-3.0-or-later'

/** Schemas with an `$id` become components. */
export function openApi(
  routes: readonly Route[],
  others: readonly DescribedOperation[],
  about: { version: string; baseUrl: string },
): Document {
  const components = new Map<string, unknown>()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) }
  }
  for (const other of others) {
    const path = other.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [other.method.toLowerCase()]: describedOperation(other) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rookery', version: about.version, license: { name: LICENSE, identifier: LICENSE } },
    servers: [{ url: about.baseUrl }],
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${about.baseUrl}/oauth/authorize`,
              tokenUrl: `${about.baseUrl}/oauth/token`,
              scopes: Object.fromEntries(ALL_SCOPES.map((scope) => [scope, scope])),
            },
          },
        },
      },
    },
  }
}

function operation(route: Route, components: Map<string, unknown>): Document {
  const inQuery = route.method === 'GET' || route.method === 'DELETE'
  const schema = route.params
  const properties = Object.entries(schema?.properties ?? {})
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  const success = {
    description: 'Success',
    content: { 'application/json': { schema: refer(route.returns, components) } },
  }
  return {
    summary: route.summary,
    tags: [nounOf(route.path)],
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    ...(route.permission ? { description: `Role permission: ${[route.permission].flat().join(' or ')}` } : {}),
    parameters: [
      ...Object.keys(route.pathParams).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(inQuery
        ? properties.map(([name, type]) => ({
            name: isArray(type) ? `${name}[]` : name,
            in: 'query',
            required: required.has(name),
            schema: refer(type, components),
          }))
        : []),
    ],
    ...(!inQuery && schema ? { requestBody: requestBody(schema, components) } : {}),
    ...(route.auth === 'none' ? {} : { security: securityOf([route.scope ?? []].flat(), route.auth) }),
    responses: {
      200: success,
      ...Object.fromEntries(
        (route.also ?? []).map((status) => [status, status === 204 ? { description: 'Nothing' } : success]),
      ),
      default: {
        description: 'Error',
        content: { 'application/json': { schema: refer(ErrorEntity, components) } },
      },
    },
  }
}

/** Files are parts of a form. In JSON, `data:` URIs stand for them. */
function requestBody(schema: TObject, components: Map<string, unknown>): Document {
  const types = ['application/json', ...(takesFiles(schema) ? ['multipart/form-data'] : [])]
  return {
    ...((schema.required ?? []).length > 0 ? { required: true } : {}),
    content: Object.fromEntries(types.map((type) => [type, { schema: refer(schema, components) }])),
  }
}

/** https://docs.joinmastodon.org/entities/Error/, with the problems of each field. */
const ErrorEntity = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Object({ error: Type.String(), description: Type.String() }))),
    ),
  },
  { $id: 'Error' },
)

/** One of the scopes is enough; where a token may be missing, an empty requirement says so. */
const securityOf = (scopes: readonly string[], auth: Route['auth']): Document[] => [
  ...(auth === 'public' ? [{}] : []),
  ...(scopes.length === 0 ? [{ oauth: [] }] : scopes.map((scope) => ({ oauth: [scope] }))),
]

const nounOf = (path: string): string =>
  path.startsWith('/api/') ? (path.split('/')[3] ?? 'other') : (/^\/\.?([a-z-]+)/.exec(path)?.[1] ?? 'other')

function describedOperation({ path, summary, contentType, params = [], scopes }: DescribedOperation): Document {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const parameter = (where: 'path' | 'query') => (name: string) => ({
    name,
    in: where,
    required: where === 'path',
    schema: { type: 'string' },
  })
  return {
    summary,
    tags: [nounOf(path)],
    parameters: [...names.map(parameter('path')), ...params.map(parameter('query'))],
    ...(scopes ? { security: securityOf(scopes, 'user') } : {}),
    responses: { 200: { description: 'Success', content: { [contentType]: { schema: { type: 'string' } } } } },
  }
}

const isArray = (schema: TSchema): boolean => (schema as { type?: string }).type === 'array'

function refer(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => refer(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as { $id?: string }
  const plain = (): unknown =>
    Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, refer(value, components)]))
  if ($id === undefined) return plain()
  if (!components.has($id)) {
    components.set($id, {}) // reserves the name, for entities that contain themselves
    components.set($id, plain())
  }
  return { $ref: `#/components/schemas/${$id}` }
}

/**
 * The documentation of an operation that is not declared with `route()`, since its response is not JSON. It is part of the
 * `config` of its route: `app.get('/health', { config: { describes: [{ … }] } }, …)`.
 */
export type Described = {
  summary: string
  /** Of the response. */
  contentType: string
  params?: readonly string[]
  /** The token needs one of these. Absent: no token is needed. */
  scopes?: readonly string[]
  /** For routes that serve several paths: the documented path. */
  path?: string
}

type DescribedOperation = Described & { method: string; path: string }

/** Collects from routes that are registered after this call. Complete when the server is ready. */
export function gatherDescribed(app: FastifyInstance): readonly DescribedOperation[] {
  const operations: DescribedOperation[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'HEAD') return
    for (const described of (config as { describes?: readonly Described[] } | undefined)?.describes ?? [])
      operations.push({ path: url, method: String(method), ...described })
  })
  return operations
}
