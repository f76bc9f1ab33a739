// The web client's application, which every server has, and the access tokens that sessions have for it.
import type { Context } from '../../context.ts'
import type { OauthApps, OauthTokens } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'

/** The ids of other applications are random, so that none has this one. Without redirect URI, it cannot ask for consent. */
const CLIENT_ID = 'web'
/** They include administration, as the role of the user decides what these scopes allow. */
const SCOPES = ['admin:read', 'admin:write', 'follow', 'push', 'read', 'write']

async function webAppId(ctx: Context): Promise<string> {
  const { id } = await ctx.db.one<Pick<OauthApps, 'id'>>(sql`
    insert into oauth_apps (name, website, redirect_uris, scopes, client_id, client_secret_digest)
    values ('Web', ${ctx.config.baseUrl}, '{}', ${SCOPES}::text[], ${CLIENT_ID}, ${digestOf(newSecret())})
    on conflict (client_id) do update set website = excluded.website returning id`)
  return id
}

/** The web client's token of a session, which ends with it. Issues one unless there is one. */
export async function sessionTokenOf(ctx: Context, session: { id: string; userId: string }): Promise<string> {
  const { tokenKey } = await getSecrets(ctx)
  const known = await ctx.db.maybe<Pick<OauthTokens, 'sealed'>>(
    sql`select sealed from oauth_tokens where session_id = ${session.id}`,
  )
  if (known) return unseal(tokenKey, known.sealed)
  const token = newSecret()
  // Another request of the same browser may have inserted it meanwhile.
  const { sealed } = await ctx.db.one<Pick<OauthTokens, 'sealed'>>(sql`
    insert into oauth_tokens (digest, sealed, app_id, user_id, scopes, session_id)
    values (${digestOf(token)}, ${seal(tokenKey, token)}, ${await webAppId(ctx)}, ${session.userId}, ${SCOPES}::text[], ${session.id})
    on conflict (session_id) where session_id is not null do update set session_id = excluded.session_id returning sealed`)
  return unseal(tokenKey, sealed)
}
