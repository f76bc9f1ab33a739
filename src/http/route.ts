import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { Caller, Viewer } from '../domain/auth/viewer.ts'
import type { Json } from '../lib/json.ts'
import type { RateFamily } from './ratelimit.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** none: nobody asks for a token. public: anybody, a sent token must be good. app: any valid token. user: a token of a usable person. */
export type Auth = 'none' | 'public' | 'app' | 'user'

type ViewerFor<A extends Auth> = A extends 'user' ? Viewer : A extends 'none' ? null : Viewer | null
type CallerFor<A extends Auth> = A extends 'user' | 'app' ? Caller : A extends 'none' ? null : Caller | null

export type Call<P, V, C = Caller | null> = {
  ctx: Context
  viewer: V
  /** The token's application and scopes; null for anonymous requests. */
  caller: C
  /** Path, query and body parameters, merged, coerced and checked. */
  params: P
  request: FastifyRequest
  reply: FastifyReply
}

/** The names in a path such as /api/v1/lists/:id/accounts. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type RouteOptions<Path extends string, A extends Auth, P extends TObject, R extends TSchema> = {
  /** `user` unless given. */
  auth?: A
  /** One of these must be covered by the token. On public routes only a token that is sent is held to it. */
  scope?: string | readonly string[]
  params?: P
  returns: R
  /** Other documented success statuses beside 200, such as 202 and 206. */
  also?: number[]
  /** For the documentation: what it does, in a line. */
  summary: string
  /** A counter of its own, beside the general ones. */
  rate?: RateFamily
  /** Unix time since when it is deprecated (RFC 9745). */
  deprecated?: number
  /** People who are not confirmed or approved yet may call it too. */
  evenUnconfirmed?: boolean
  /** Caches may share the answer to anonymous requests for some seconds. */
  cacheable?: boolean
  /** Stays open when the server wants a user for everything (limited federation mode). */
  alwaysOpen?: boolean
  /** Rewords an error before it is answered, for endpoints that have a format of their own. May set headers. */
  reword?(error: unknown, reply: FastifyReply): unknown
  handle(
    call: Call<Static<P> & Record<PathParams<Path>, string>, ViewerFor<A>, CallerFor<A>>,
  ): Promise<Static<R> | Json<Static<R>>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the table of routes holds routes of all shapes
export type Route = Omit<RouteOptions<any, any, any, any>, 'auth'> & { method: Method; path: string; auth: Auth }

/**
 * Declares one operation of the API. From this follow the route, its validation, the scope check and its part of the
 * OpenAPI document. `name` is `METHOD /path/:id`.
 */
export function route<
  N extends `${Method} /${string}`,
  R extends TSchema,
  P extends TObject = TObject<Record<never, never>>,
  A extends Auth = 'user',
>(name: N, options: RouteOptions<N, A, P, R>): Route {
  const [method, path] = name.split(' ') as [Method, string]
  return { ...options, method, path, auth: options.auth ?? 'user' } as Route
}
