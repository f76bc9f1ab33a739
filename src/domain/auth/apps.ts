import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'

/** Where a code is shown instead of being sent to the application. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

export type App = {
  id: string
  name: string
  website: string | null
  redirect_uris: string[]
  scopes: string[]
  client_id: string
  client_secret_digest: Buffer
  created_at: Date
}

/** Registers an application. The secret is told once, here. */
export async function insertApp(
  ctx: Context,
  app: { name: string; website: string | null; redirectUris: readonly string[]; scopes: readonly string[] },
): Promise<App & { client_secret: string }> {
  const secret = newSecret()
  const row = await ctx.db.one<App>(sql`
    insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret_digest)
    values (${app.name}, ${app.website}, ${app.redirectUris}::text[], ${app.scopes}::text[], ${newSecret()}, ${digestOf(secret)})
    returning *`)
  return { ...row, client_secret: secret }
}

/** The application with this client id, or null. */
export async function findApp(ctx: Context, clientId: string): Promise<App | null> {
  return ctx.db.maybe<App>(sql`select * from oauth_apps where client_id = ${clientId}`)
}

/** Whether the secret is the application's own. */
export function secretMatches(app: App, secret: string): boolean {
  return timingSafeEqual(digestOf(secret), app.client_secret_digest)
}

/** The application with this id, which must be there. */
export async function getApp(ctx: Context, id: string): Promise<App> {
  return ctx.db.one<App>(sql`select * from oauth_apps where id = ${id}`)
}

/** The application in whose name the command line makes tokens. */
export async function commandLineApp(ctx: Context): Promise<{ id: string }> {
  const name = 'Rookery command line'
  const known = await ctx.db.maybe<{ id: string }>(
    sql`select id from oauth_apps where name = ${name} and redirect_uris = ${[OUT_OF_BAND]}::text[] order by id limit 1`,
  )
  return known ?? insertApp(ctx, { name, website: null, redirectUris: [OUT_OF_BAND], scopes: ['read'] })
}
