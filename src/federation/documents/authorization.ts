import { authorizationType } from '../../ap/authorization.ts'
import { noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import type { Accounts, Statuses } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { accountUri, statusUri } from '../../domain/server/addresses.ts'
import type { Interaction } from '../../jobs/distribution.ts'
import { NotFound } from '../../lib/errors.ts'
import { authorizationUri } from '../ids.ts'
import { findVisibleStatuses, type MaybeViewer } from '../../domain/statuses/visibility.ts'

const columns = sql`s.uri, a.username, s.id as status_id, target.id as target_id`

const joins = (targetId: Sql): Sql =>
  sql`join accounts a on a.id = s.account_id join statuses target on target.id = ${targetId}`

/** Boosts and favourites are authorized only if they are remote, with a URI. */
const AUTHORIZED: Record<Interaction, (id: string) => Sql> = {
  quote: (id) => sql`
    select ${columns} from quotes q join statuses s on s.id = q.status_id ${joins(sql`q.quoted_status_id`)}
    where q.id = ${id} and q.state = 'accepted'`,
  reply: (id) => sql`
    select ${columns} from statuses s ${joins(sql`s.in_reply_to_id`)} where s.id = ${id} and s.approval is null`,
  announce: (id) => sql`
    select ${columns} from statuses s ${joins(sql`s.reblog_of_id`)} where s.id = ${id} and s.uri is not null`,
  like: (id) => sql`
    select f.uri, a.username, s.id as status_id, s.id as target_id
    from favourites f join accounts a on a.id = f.account_id join statuses s on s.id = f.status_id
    where f.id = ${id} and f.uri is not null`,
}

type AuthorizedRow = Pick<Statuses, 'uri'> &
  Pick<Accounts, 'username'> & { status_id: Statuses['id']; target_id: Statuses['id'] }

/**
 * GET /users/:username/{quote,reply,announce,like}_authorizations/:id. Throws NotFound, also when the signer may not see both
 * statuses. The one of a quote is for everyone who may see the quoted status (FEP-044f): all servers that receive the quote,
 * also a private one, fetch it as themselves.
 */
export async function authorizationDocument(
  ctx: Context,
  signer: MaybeViewer,
  account: { id: string; username: string },
  { kind, id }: { kind: Interaction; id: string },
): Promise<unknown> {
  const row = await ctx.db.maybe<AuthorizedRow>(AUTHORIZED[kind](id))
  if (!row) throw new NotFound()
  const shown = new Set(kind === 'quote' ? [row.target_id] : [row.target_id, row.status_id])
  const visible = await findVisibleStatuses(ctx, signer, [...shown])
  const target = visible.find((status) => status.id === row.target_id)
  if (visible.length < shown.size || target?.account_id !== account.id) throw new NotFound()
  return {
    '@context': noteContext,
    id: authorizationUri(ctx, kind, account.username, id),
    type: authorizationType(kind),
    attributedTo: accountUri(ctx, account.username),
    interactingObject: row.uri ?? statusUri(ctx, row.username, row.status_id),
    interactionTarget: statusUri(ctx, account.username, row.target_id),
  }
}
