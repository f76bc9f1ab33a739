import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { recordActivity, recordTokenUse } from '../domain/auth/activity.ts'
import { covers } from '../domain/auth/scopes.ts'
import { findCaller, may, type Caller, type UserState } from '../domain/auth/viewer.ts'
import { Forbidden, Unauthorized } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { catchUpAndCheckAccess } from './access.ts'
import { readTokenCookie } from './cookies.ts'
import { bearerChallenge } from './headers.ts'
import { setLocale } from './language.ts'
import type { Route } from './route.ts'

const DISABLED = 'Your login is currently disabled'

/**
 * In English for everyone, as in Mastodon: clients tell these states apart by the text alone. Fedi recognises by the first one
 * that a sign-up still needs a confirmed address.
 */
export const REFUSALS: Record<Exclude<UserState, 'usable'>, string> = {
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  pending: 'Your login is currently pending approval',
  disabled: DISABLED,
  memorial: DISABLED,
  suspended: DISABLED,
  missing_2fa: 'Your account requires two-factor authentication',
}

/**
 * `Authorization: Session` means the token in the cookie. Pages of other origins cannot send this header: it needs a preflight,
 * and no response to one allows cookies. The id of an account may follow, for which alone the request is meant.
 */
const SESSION = /^Session(?:\s+(?<accountId>\d+))?\s*$/i

const usesSession = (request: FastifyRequest): boolean => SESSION.test(request.headers.authorization ?? '')

/** A page of the web client may still be open after another account has signed in: it must not act as that account. */
function isForAnother(request: FastifyRequest, { viewer }: Caller): boolean {
  const meant = SESSION.exec(request.headers.authorization ?? '')?.groups?.accountId
  return meant !== undefined && viewer !== null && viewer.accountId !== meant
}

/** Whether the web client sent the request. The header `Sec-Fetch-Site` is missing in old browsers. */
export const isFromWebClient = (request: FastifyRequest): boolean =>
  usesSession(request) && (request.headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'

/**
 * The token of a request: Bearer header, the cookie with `Authorization: Session`, or the parameter `access_token` or
 * `bearer_token`.
 */
export function tokenOf(ctx: Context, request: FastifyRequest): string | null {
  if (usesSession(request)) return isFromWebClient(request) ? readTokenCookie(ctx, request) : null
  const bearer = bearerIn(request.headers)
  if (bearer) return bearer
  for (const source of [request.query, request.body] as (Record<string, unknown> | null | undefined)[]) {
    const value = source?.access_token ?? source?.bearer_token
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

/** The token in the header `Authorization: Bearer`. */
export const bearerIn = ({ authorization = '' }: { authorization?: string | undefined }): string | undefined =>
  /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]

/** Whether the request has a Bearer or Session header, even a malformed one. */
const meansToken = (request: FastifyRequest): boolean =>
  /^(Bearer|Session)\b/i.test(request.headers.authorization ?? '')

/** Throws Unauthorized for missing and invalid tokens, Forbidden for a missing scope and for the user's state. */
export async function authenticate(ctx: Context, route: Route, request: FastifyRequest): Promise<Caller | null> {
  const isOpen = route.auth === 'none'
  // Makes all that the request reads from caches, this caller included, as fresh as the database. Public documents may be older.
  if (!isOpen || route.method !== 'GET') await catchUpAndCheckAccess(ctx, request.ip)
  if (isOpen) return null
  const needsUser = ctx.config.limitedFederation && !route.alwaysOpen && route.auth === 'public'
  const token = tokenOf(ctx, request)
  if (token === null) {
    if (meansToken(request) || route.auth !== 'public') throw new Unauthorized()
    if (needsUser) throw new Unauthorized(message('api_requires_user'))
    return null
  }
  const caller = await findCaller(ctx, token)
  if (!caller || isForAnother(request, caller)) throw new Unauthorized()
  if (caller.viewer) setLocale(request, caller.viewer.locale)
  checkScope(route, caller)
  recordTokenUse(ctx, caller.token.id, request.ip)
  if (caller.token.userId === null) {
    if (route.auth === 'user') throw new Unauthorized(message('method_requires_user'))
    if (needsUser) throw new Unauthorized(message('api_requires_user'))
    return caller
  }
  if (caller.state === 'usable') {
    checkPermission(route, caller)
    if (caller.viewer) recordActivity(ctx, caller.viewer)
    return caller
  }
  if (route.evenUnconfirmed && (caller.state === 'unconfirmed' || caller.state === 'pending')) return caller
  if (route.auth === 'user') throw new Forbidden(REFUSALS[caller.state])
  // On other routes, users who may not act count as anonymous, which limited federation mode refuses.
  if (needsUser) throw new Forbidden(REFUSALS[caller.state])
  return { ...caller, viewer: null }
}

function checkScope(route: Route, caller: Caller): void {
  if (!route.scope) return
  const scopes = typeof route.scope === 'string' ? [route.scope] : route.scope
  if (scopes.some((scope) => covers(caller.token.scopes, scope))) return
  const text = message('outside_scopes')
  throw new Forbidden(text, { 'www-authenticate': bearerChallenge('insufficient_scope', String(text), scopes[0]) })
}

function checkPermission({ permission }: Route, { viewer }: Caller): void {
  if (permission === undefined) return
  const permissions = typeof permission === 'string' ? [permission] : permission
  if (!permissions.some((each) => may(viewer, each))) throw new Forbidden(message('forbidden'))
}
