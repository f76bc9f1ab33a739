import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import type { SignInMethod } from '../domain/auth/login-activities.ts'
import { createSession, endSessions } from '../actions/auth/sessions.ts'
import { findSession, findSessions, SESSION_DAYS, type Session } from '../domain/auth/sessions.ts'
import type { SignInProof } from '../domain/auth/sign-in.ts'
import { sessionTokenOf } from '../domain/auth/web-client.ts'
import { clearCookie, clearTokenCookie, readCookie, writeCookie, writeTokenCookie } from '../http/cookies.ts'
import { setLocale } from '../http/language.ts'
import { compareIds, isId } from '../lib/ids.ts'

/** Where users set up a second factor: the only page for those who lack one that their role requires. */
export const TWO_FACTOR_PATH = '/settings/two_factor'

const COOKIE = 'rookery_session'
/** The secrets of the browser's other sessions, the last used first: one for each account to which it can switch. */
const OTHERS = 'rookery_other_sessions'
/** For the web client: the accounts that signed out while others stayed, and whose data it deletes from this device. */
const SIGNED_OUT = 'rookery_left'

/** How many accounts a browser can switch between. Each lengthens a header of every request. */
export const MAX_ACCOUNTS = 5
/** How many ids the client's cookie may contain. */
const MAX_SIGNED_OUT = 20

const found = new WeakMap<FastifyRequest, Promise<Session | null>>()

/** Null without a session, and for users who may not act. Reads it once per request, and sets the request's language. */
export async function currentSession(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const session = await restrictedSession(ctx, request)
  return session?.state === 'usable' ? session : null
}

/** As currentSession, but users who may not act have one too: for the pages that say what happened, or what they must do. */
export function restrictedSession(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const known = found.get(request)
  if (known) return known
  const session = read(ctx, request)
  found.set(request, session)
  return session
}

async function read(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const secret = sessionSecret(ctx, request)
  const session = secret === null ? null : await findSession(ctx, secret)
  if (session) {
    if (session.state === 'usable') recordActivity(ctx, session)
    setLocale(request, session.locale)
  }
  return session
}

export function sessionSecret(ctx: Context, request: FastifyRequest): string | null {
  return readCookie(ctx, request, COOKIE)
}

type BrowserSession = Session & { secret: string }

/** The browser's sessions that have not ended, without the current one. */
async function waitingSessions(ctx: Context, request: FastifyRequest): Promise<BrowserSession[]> {
  const secrets = (readCookie(ctx, request, OTHERS) ?? '').split('.').filter((secret) => secret !== '')
  return secrets.length === 0 ? [] : findSessions(ctx, secrets.slice(0, MAX_ACCOUNTS - 1))
}

/** As `waitingSessions`, after the current one, if there is one. */
async function allSessions(ctx: Context, request: FastifyRequest): Promise<BrowserSession[]> {
  const [current, waiting] = await Promise.all([restrictedSession(ctx, request), waitingSessions(ctx, request)])
  return current ? [{ ...current, secret: sessionSecret(ctx, request) ?? '' }, ...waiting] : waiting
}

const canSwitchTo = ({ state }: Session): boolean => state === 'usable' || state === 'missing_2fa'

/** The sessions to which the browser can switch. */
export const otherSessions = async (ctx: Context, request: FastifyRequest): Promise<Session[]> =>
  (await waitingSessions(ctx, request)).filter(canSwitchTo)

/** Ids of sessions grow: one with a greater id began later than all that this browser has. */
export const lastSessionId = async (ctx: Context, request: FastifyRequest): Promise<string> =>
  (await allSessions(ctx, request)).map(({ id }) => id).reduce((a, b) => (compareIds(a, b) > 0 ? a : b), '0')

function writeOthers(ctx: Context, reply: FastifyReply, sessions: readonly BrowserSession[]): void {
  if (sessions.length === 0) clearCookie(ctx, reply, OTHERS)
  else
    writeCookie(ctx, reply, { name: OTHERS, value: sessions.map(({ secret }) => secret).join('.'), days: SESSION_DAYS })
}

/** How sessions and the history of sign-ins name the browser of a request. */
export const browserOf = ({ ip, headers }: FastifyRequest): { ip: string; userAgent: string } => ({
  ip,
  userAgent: headers['user-agent'] ?? '',
})

/**
 * Ends the browser's previous session of the same user. Sessions of other users wait; of too many, the last used ones stay. False
 * when a new password has ended `proof`.
 */
export async function startSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    userId,
    ...options
  }: { userId: string; method: SignInMethod; authenticatedAt?: Date | null; proof?: SignInProof | null },
): Promise<boolean> {
  const before = await allSessions(ctx, request)
  const created = await createSession(ctx, { userId, ...browserOf(request), ...options })
  if (!created) return false
  const { secret, token } = created
  const waiting = before.filter((each) => each.userId !== userId).slice(0, MAX_ACCOUNTS - 1)
  for (const each of before) if (!waiting.includes(each)) await endSessions(ctx, each.userId, { id: each.id })
  recordActivity(ctx, { userId })
  writeCookie(ctx, reply, { name: COOKIE, value: secret, days: SESSION_DAYS })
  writeTokenCookie(ctx, reply, token)
  if (readCookie(ctx, request, OTHERS) !== null || waiting.length > 0) writeOthers(ctx, reply, waiting)
  return true
}

/** False when the account has no session in this browser that may be used. */
export async function switchSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
): Promise<boolean> {
  const sessions = await allSessions(ctx, request)
  const chosen = sessions.find((each) => each.accountId === accountId && canSwitchTo(each))
  if (!chosen) return false
  if (chosen.state === 'usable') recordActivity(ctx, chosen)
  writeCookie(ctx, reply, { name: COOKIE, value: chosen.secret, days: SESSION_DAYS })
  writeTokenCookie(ctx, reply, await sessionTokenOf(ctx, chosen))
  writeOthers(
    ctx,
    reply,
    sessions.filter((each) => each !== chosen),
  )
  return true
}

/**
 * Ends the session, and has the browser delete what the web client stored on this device: for this account alone when other
 * accounts stay.
 */
export async function dropSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [session, waiting] = await Promise.all([restrictedSession(ctx, request), waitingSessions(ctx, request)])
  if (session) await endSessions(ctx, session.userId, { id: session.id })
  clearCookie(ctx, reply, COOKIE)
  clearTokenCookie(ctx, reply)
  if (waiting.length === 0) {
    clearCookie(ctx, reply, OTHERS)
    void reply.header('clear-site-data', '"cache", "storage"')
  } else if (session) {
    const signedOut = new Set([
      session.accountId,
      ...(readCookie(ctx, request, SIGNED_OUT) ?? '').split('.').filter(isId),
    ])
    writeCookie(ctx, reply, {
      name: SIGNED_OUT,
      value: [...signedOut].slice(0, MAX_SIGNED_OUT).join('.'),
      days: SESSION_DAYS,
      isOpen: true,
    })
  }
}
