import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { Scope } from '../domain/auth/scopes.ts'
import type { Caller, Permission, Viewer } from '../domain/auth/viewer.ts'
import type { JsonDocument, JsonPieces, JsonText } from '../lib/json.ts'
import type { LimitName } from './ratelimit.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** none: ignores tokens. public: a token is optional, but must be valid. app: any valid token. user: one of an active user. */
export type Auth = 'none' | 'public' | 'app' | 'user'

type ViewerFor<A extends Auth> = A extends 'user' ? Viewer : A extends 'none' ? null : Viewer | null
type CallerFor<A extends Auth> = A extends 'user' | 'app' ? Caller : A extends 'none' ? null : Caller | null

/** A request, and its response. */
export type HttpExchange = { ctx: Context; request: FastifyRequest; reply: FastifyReply }

export type Call<P, V, C = Caller | null> = HttpExchange & {
  viewer: V
  /** The token's application and scopes; null for anonymous requests. */
  caller: C
  /** Path, query and body parameters, merged, converted and checked. */
  params: P
}

/** What a handler returns: a value, or its JSON. */
export type Answer<T> = T | JsonText<T> | JsonPieces<T> | JsonDocument<T>

export type EndpointOptions<A extends Auth, P extends TProperties, R extends TSchema> = {
  /** `user` unless given. */
  auth?: A
  /** The token must cover one of these. Requests without a token need none on public routes. */
  scope?: Scope | readonly Scope[]
  /** The user's role must have one of these permissions, after the token's scope was checked. For routes with `auth: 'user'`. */
  permission?: Permission | readonly Permission[]
  /** Parameters by name: from the path where it names them, otherwise from the query and the body. */
  params?: P
  returns: R
  /** The address of its JSON schema, for documents whose content type names it. */
  profile?: string
  /** Other documented success statuses besides 200, such as 202 and 206. */
  also?: number[]
  summary: string
  /** A rate limit of its own, besides the general ones. */
  rate?: LimitName
  /** Unix time since when it is deprecated (RFC 9745). */
  deprecated?: number
  /** Unconfirmed and unapproved users may call it too. */
  evenUnconfirmed?: boolean
  /** Caches may share the response to anonymous requests for some seconds. */
  cacheable?: boolean
  /** Stays open in limited federation mode, in which other routes need a user. */
  alwaysOpen?: boolean
  /** Replaces an error before it is answered, for endpoints with an error format of their own. May set headers. */
  reword?(error: unknown, reply: FastifyReply): unknown
  handle(call: Call<Static<TObject<P>>, ViewerFor<A>, CallerFor<A>>): Promise<Answer<Static<R>>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the table of routes holds endpoints of all shapes
type AnyOptions = EndpointOptions<any, any, any>
export type Endpoint = Omit<AnyOptions, 'auth' | 'params'> & { auth: Auth; params: TProperties }

export type Route = Omit<Endpoint, 'params'> & {
  method: Method
  path: string
  pathParams: TProperties
  params: TObject | null
}

/**
 * Its validation, scope check and part of the OpenAPI document follow from these options. Its method and
 * path stand in the table of routes.
 */
export function route<R extends TSchema, P extends TProperties = Record<never, never>, A extends Auth = 'user'>(
  options: EndpointOptions<A, P, R>,
): Endpoint {
  return { ...options, auth: options.auth ?? 'user', params: options.params ?? {} } as Endpoint
}

/** For a path that clients should not use any more. `since` is a Unix time. */
export const deprecated = (endpoint: Endpoint, since: number): Endpoint => ({ ...endpoint, deprecated: since })

/** Throws where a path names a parameter that its endpoint does not declare. */
export function table(endpoints: Record<`${Method} /${string}`, Endpoint>): readonly Route[] {
  return Object.entries(endpoints).map(([name, endpoint]) => {
    const [method, path] = name.split(' ') as [Method, string]
    const { ...others } = endpoint.params
    const pathParams: Record<string, TSchema> = {}
    for (const key of namesIn(path)) {
      const schema = others[key]
      if (!schema) throw new Error(`${name} does not declare the parameter ${key}`)
      pathParams[key] = schema
      delete others[key]
    }
    const params = Object.keys(others).length === 0 ? null : Type.Object(others)
    return { ...endpoint, method, path, pathParams, params }
  })
}

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
