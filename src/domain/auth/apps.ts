// OAuth applications: registration, look-up, and those that a user has authorised.
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { OauthApps, OauthTokens } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { httpUrl } from '../../lib/http-url.ts'
import { invalidWithoutDetails, type ErrorDetail } from '../../lib/errors.ts'
import { message, type Message } from '../../messages/message.ts'
import { parseScopes, type Scope } from './scopes.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'
import { lockUser } from '../users/locks.ts'

/** For applications without a redirect URI: the user copies the code from the page. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

export const MAX_APP_NAME = 60
const MAX_URI = 2000
export const MAX_APP_WEBSITE = 2000
const MAX_REDIRECT_URIS = 50
/** A browser would execute a redirect to these schemes. */
const FORBIDDEN_SCHEMES = new Set(['data:', 'vbscript:', 'javascript:'])

export type App = OauthApps
/** `ownerId`: the user who registered it for themselves, if any. */
type NewApp = {
  name: string
  website: string | null
  redirectUris: readonly string[]
  scopes: readonly string[]
  ownerId?: string | null
}
type RegisteredApp = App & { client_secret: string }

const columns = sql`id, name, website, redirect_uris, scopes, client_id, client_secret_digest, owner_id, created_at`

export type AppRegistration = {
  name: string
  redirectUris: readonly string[]
  scopes: string | undefined
  website: string | null
  ownerId?: string | null
}

/** Throws Invalid with every problem of the registration. */
export async function registerApp(ctx: Context, registration: AppRegistration): Promise<RegisteredApp> {
  const name = registration.name.trim()
  const redirectUris = [...new Set(registration.redirectUris.flatMap((uris) => uris.split(/\s+/)).filter(Boolean))]
  const scopes = parseScopes(registration.scopes)
  const website = registration.website?.trim() || null
  const problems: Record<string, Message[]> = {
    application_name: [
      ...(name === '' ? [message('blank')] : []),
      ...([...name].length > MAX_APP_NAME ? [message('too_long', { count: MAX_APP_NAME })] : []),
    ],
    redirect_uri: redirectProblems(redirectUris),
    scopes: scopes === null ? [message('scopes_unknown')] : [],
    application_website:
      website !== null && (website.length > MAX_APP_WEBSITE || httpUrl(website) === null)
        ? [message('url_invalid')]
        : [],
  }
  const details = Object.entries(problems).map(([field, list]): [string, ErrorDetail[]] => [
    field,
    list.map((description) => ({ error: 'ERR_INVALID', description })),
  ])
  if (details.some(([, list]) => list.length > 0) || scopes === null)
    throw invalidWithoutDetails(Object.fromEntries(details))
  return insertApp(ctx, { name, website, redirectUris, scopes, ownerId: registration.ownerId ?? null })
}

function redirectProblems(uris: readonly string[]): Message[] {
  if (uris.length === 0) return [message('blank')]
  if (uris.length > MAX_REDIRECT_URIS) return [message('too_many_entries', { count: MAX_REDIRECT_URIS })]
  const problems = new Map(uris.flatMap((uri) => redirectProblem(uri) ?? []).map((problem) => [problem.key, problem]))
  return [...problems.values()]
}

function redirectProblem(uri: string): Message | null {
  if (uri === OUT_OF_BAND) return null
  if (uri.length > MAX_URI) return message('too_long', { count: MAX_URI })
  const url = URL.parse(uri)
  // Unescaped, other characters fit neither a URI nor a Location header.
  if (url === null || !/^[\x21-\x7e]+$/.test(uri)) return message('redirect_relative')
  if (FORBIDDEN_SCHEMES.has(url.protocol)) return message('redirect_forbidden')
  if (uri.includes('#')) return message('redirect_fragment')
  return null
}

/** The values must be valid. Only this result contains the client secret. */
export async function insertApp(ctx: Context, app: NewApp): Promise<RegisteredApp> {
  const secret = newSecret()
  const row = await ctx.db.one<App>(sql`
    insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret_digest, owner_id)
    values (${app.name}, ${app.website}, ${app.redirectUris}::text[], ${app.scopes}::text[], ${newSecret()}, ${digestOf(secret)},
      ${app.ownerId ?? null})
    returning ${columns}`)
  return { ...row, client_secret: secret }
}

export const findApp = (ctx: Context, clientId: string): Promise<App | null> =>
  ctx.db.maybe<App>(sql`select ${columns} from oauth_apps where client_id = ${clientId}`)

/** Throws Error when the application does not exist. */
export const getApp = (ctx: Context, id: string): Promise<App> =>
  ctx.db.one<App>(sql`select ${columns} from oauth_apps where id = ${id}`)

export const secretMatches = (app: App, secret: string): boolean =>
  timingSafeEqual(digestOf(secret), app.client_secret_digest)

/** The applications that the user registered for themselves, the newest first. */
export const listOwnApps = (ctx: Context, userId: string): Promise<App[]> =>
  ctx.db.many<App>(sql`select ${columns} from oauth_apps where owner_id = ${userId} order by id desc`)

/** Call it in the transaction that adds one: simultaneous ones of the same user wait for each other. */
export async function countOwnApps(tx: Context, userId: string): Promise<number> {
  await lockUser(tx, userId)
  const { n } = await tx.db.one<{ n: number }>(
    sql`select count(*)::int as n from oauth_apps where owner_id = ${userId}`,
  )
  return n
}

/** Null unless the application is the user's own. Locks it. */
export const lockOwnApp = (tx: Context, userId: string, id: string): Promise<App | null> =>
  tx.db.maybe<App>(sql`select ${columns} from oauth_apps where id = ${id} and owner_id = ${userId} for update`)

/** Returns the secret, which is not stored. The former one stops working. */
export async function replaceSecret(tx: Context, id: string): Promise<string> {
  const secret = newSecret()
  await tx.db.run(sql`update oauth_apps set client_secret_digest = ${digestOf(secret)} where id = ${id}`)
  return secret
}

/** Its tokens go with it. */
export async function deleteApp(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`delete from oauth_apps where id = ${id}`)
}

export async function commandLineApp(ctx: Context): Promise<Pick<OauthApps, 'id'>> {
  const name = 'Rookery command line'
  const known = await ctx.db.maybe<Pick<OauthApps, 'id'>>(
    sql`select id from oauth_apps where name = ${name} and redirect_uris = ${[OUT_OF_BAND]}::text[] order by id limit 1`,
  )
  return known ?? insertApp(ctx, { name, website: null, redirectUris: [OUT_OF_BAND], scopes: ['read'] })
}

export type AuthorizedApp = Pick<OauthApps, 'id' | 'name'> &
  Pick<OauthTokens, 'created_at' | 'last_used_at'> & { scopes: Scope[] }

/** Without the web client: the list of sessions has it. */
export const listAuthorizedApps = (ctx: Context, userId: string): Promise<AuthorizedApp[]> =>
  ctx.db.many<AuthorizedApp>(sql`
    select app.id, app.name, array_agg(distinct scope) as scopes, min(t.created_at) as created_at,
      max(t.last_used_at) as last_used_at
    from oauth_tokens t join oauth_apps app on app.id = t.app_id cross join unnest(t.scopes) as scope
    where t.user_id = ${userId} and t.session_id is null group by app.id order by min(t.created_at) desc, app.id`)

const BATCH = 500

const isUnused = sql`a.created_at < now() - interval '1 day' and a.owner_id is null
  and not exists (select from oauth_tokens t where t.app_id = a.id)
  and not exists (select from oauth_grants g where g.app_id = a.id)
  and not exists (select from users u where u.created_by_app_id = a.id)
  and not exists (select from statuses s where s.app_id = a.id)
  and not exists (select from scheduled_statuses w where w.app_id = a.id)`

/** Deletes applications that, a day after their registration, have no token, grant, user or status. */
export async function deleteUnusedApps(ctx: Context): Promise<void> {
  for (;;) {
    const deleted = await ctx.transaction(async (tx) => {
      // Locked and checked again, so that no application is deleted while it receives a token.
      const locked = await tx.db.many<Pick<OauthApps, 'id'>>(
        sql`select a.id from oauth_apps a where ${isUnused} order by a.id limit ${BATCH} for update skip locked`,
      )
      return tx.db.run(
        sql`delete from oauth_apps a where a.id = any(${locked.map(({ id }) => id)}::bigint[]) and ${isUnused}`,
      )
    })
    if (deleted < BATCH) return
  }
}
