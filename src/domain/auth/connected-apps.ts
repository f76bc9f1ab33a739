import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { revokeTokens } from './tokens.ts'

export type ConnectedApp = { id: string; name: string; scopes: string[]; created_at: Date; last_used_at: Date | null }

/** The applications that hold tokens of a user, newest first. */
export async function connectedApps(ctx: Context, userId: string): Promise<ConnectedApp[]> {
  return ctx.db.many<ConnectedApp>(sql`
    select app.id, app.name, array_agg(distinct scope) as scopes, min(t.created_at) as created_at,
      max(t.last_used_at) as last_used_at
    from oauth_tokens t join oauth_apps app on app.id = t.app_id cross join unnest(t.scopes) as scope
    where t.user_id = ${userId} group by app.id order by min(t.created_at) desc, app.id`)
}

/** Revokes all that an application holds of a user. False when it holds nothing. */
export async function disconnectApp(ctx: Context, userId: string, appId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from oauth_grants where user_id = ${userId} and app_id = ${appId} and used_at is null`)
    const tokens = await tx.db.many<{ id: string }>(
      sql`select id from oauth_tokens where user_id = ${userId} and app_id = ${appId}`,
    )
    await revokeTokens(
      tx,
      tokens.map(({ id }) => id),
    )
    return tokens.length > 0
  })
}
