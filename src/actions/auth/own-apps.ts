// Applications that people register for themselves on the settings pages, such as bots.
import type { Context } from '../../context.ts'
import {
  countOwnApps,
  deleteApp,
  listOwnApps,
  lockOwnApp,
  registerApp,
  replaceSecret,
  type App,
  type AppRegistration,
} from '../../domain/auth/apps.ts'
import { lockSession } from '../../domain/auth/sessions.ts'
import { issueToken, tokenIdsOf, tokenIdsOfApp } from '../../domain/auth/tokens.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { revokeTokens } from './tokens.ts'

const MAX_OWN_APPS = 50

/** The application acts as its owner with `token`. */
export type OwnApp = App & { token: string }

/** None when the session has ended. */
export const readOwnApps = (ctx: Context, session: { id: string; userId: string }): Promise<OwnApp[]> =>
  ctx.transaction(async (tx) => {
    const { id, userId } = session
    const apps = (await lockSession(tx, id)) ? await listOwnApps(tx, userId) : []
    return Promise.all(apps.map(async (app) => ({ ...app, token: await tokenOf(tx, userId, app) })))
  })

/** An equal request returns the same token; after a revocation, a new one. */
const tokenOf = async (tx: Context, userId: string, { id, scopes }: App): Promise<string> =>
  (await issueToken(tx, { appId: id, userId, scopes })).token

/** Returns the id and the secret of the application, which is not shown again. Throws Invalid. */
export const createOwnApp = (
  ctx: Context,
  userId: string,
  registration: AppRegistration,
): Promise<{ id: string; secret: string }> =>
  ctx.transaction(async (tx) => {
    if ((await countOwnApps(tx, userId)) >= MAX_OWN_APPS) throw invalidRequest('too_many_apps', { count: MAX_OWN_APPS })
    const app = await registerApp(tx, { ...registration, ownerId: userId })
    return { id: app.id, secret: app.client_secret }
  })

/** Null unless the application is the user's own. */
export const renewSecret = (ctx: Context, userId: string, id: string): Promise<string | null> =>
  ctx.transaction(async (tx) => ((await lockOwnApp(tx, userId, id)) ? replaceSecret(tx, id) : null))

/** The owner's token stops working, and the application gets another one. False unless it is the user's own. */
export const renewOwnToken = (ctx: Context, userId: string, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    if (!(await lockOwnApp(tx, userId, id))) return false
    await revokeTokens(tx, await tokenIdsOf(tx, userId, id))
    return true
  })

/** The tokens of all users stop working, and their streams close. False unless it is the user's own. */
export const deleteOwnApp = (ctx: Context, userId: string, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    if (!(await lockOwnApp(tx, userId, id))) return false
    await revokeTokens(tx, await tokenIdsOfApp(tx, id))
    await deleteApp(tx, id)
    return true
  })
