import { authorizationType, requestType } from '../../ap/authorization.ts'
import { noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { accountUri, statusUri } from '../../domain/server/addresses.ts'
import type { Distribution, Interaction } from '../../jobs/distribution.ts'
import { NotFound } from '../../lib/errors.ts'
import { findAccountUri, usernameOf } from '../accounts.ts'
import type { Of, Outgoing } from './distribute.ts'
import { authorizationUri, requestUri } from '../ids.ts'
import { renderAnnounce, renderCreate, renderLike } from './render/activity.ts'
import { loadBoosts } from './render/boost.ts'
import { loadNotes, renderNote } from './render/note.ts'

// How an author is asked to approve a quote, reply, boost or favourite, and answers: FEP-044f for quotes, and for the others
// https://docs.gotosocial.org/en/latest/federation/interaction_controls/

type Request = Of<`request-${Interaction}`>
type Answer = Of<`${'accept' | 'reject'}-${Interaction}`>

const KINDS: readonly string[] = ['quote', 'reply', 'announce', 'like'] satisfies Interaction[]
const kindOf = (activity: string): Interaction => activity.slice(activity.indexOf('-') + 1) as Interaction
const isOneOf = (data: Distribution, ...verbs: string[]): boolean =>
  verbs.includes(data.activity.split('-')[0] ?? '') && KINDS.includes(kindOf(data.activity))

export const isRequest = (data: Distribution): data is Request => isOneOf(data, 'request')
export const isAnswer = (data: Distribution): data is Answer => isOneOf(data, 'accept', 'reject')

type Target = { uri: string | null; author_id: string; author_uri: string | null; legacy: boolean | null }

/** What is asked for: the interaction, and the activity by which it is made known where no request exists. */
type Wanted = { username: string; instrument: Record<string, unknown>; plain: Record<string, unknown>; topic?: string }

const target = (from: Sql): Sql => sql`
  select t.uri, t.account_id as author_id, ta.uri as author_uri, (t.interaction_policy ->> 'legacy')::boolean as legacy
  ${from} join accounts ta on ta.id = t.account_id`

const TARGETS: Record<Interaction, (id: string) => Sql> = {
  quote: (id) =>
    sql`${target(sql`from quotes q join statuses t on t.id = q.quoted_status_id`)} where q.id = ${id} and q.state = 'pending'`,
  reply: (id) =>
    sql`${target(sql`from statuses s join statuses t on t.id = s.in_reply_to_id`)} where s.id = ${id} and s.approval = 'pending'`,
  announce: (id) =>
    sql`${target(sql`from statuses s join statuses t on t.id = s.reblog_of_id`)} where s.id = ${id} and s.approval = 'pending'`,
  like: (id) =>
    sql`${target(sql`from favourites f join statuses t on t.id = f.status_id`)} where f.id = ${id} and f.approval = 'pending'`,
}

/**
 * Asks the author of a remote post for an interaction, which comes along. Nobody else hears of it before it is approved. Servers
 * that know only the terms before GoToSocial 0.19 are sent the interaction itself.
 */
export async function requestInteraction(ctx: Context, { activity, accountId, id }: Request): Promise<Outgoing | null> {
  const kind = kindOf(activity)
  const found = await ctx.db.maybe<Target>(TARGETS[kind](id))
  const uri = found?.uri
  const wanted = uri ? await load(ctx, kind, { id, accountId, uri }) : null
  if (!found || !uri || !wanted) return null
  const { '@context': _context, ...instrument } = wanted.instrument
  const request = {
    '@context': noteContext,
    id: requestUri(ctx, kind, wanted.username, id),
    type: requestType(kind),
    actor: accountUri(ctx, wanted.username),
    ...(found.author_uri === null ? {} : { to: found.author_uri }),
    object: uri,
    instrument,
  }
  return {
    accountId,
    activity: found.legacy && kind !== 'quote' ? wanted.plain : request,
    ...(wanted.topic === undefined ? {} : { topic: wanted.topic }),
    to: { accountIds: [found.author_id] },
  }
}

async function load(
  ctx: Context,
  kind: Interaction,
  { id, accountId, uri }: { id: string; accountId: string; uri: string },
): Promise<Wanted | null> {
  if (kind === 'like') {
    const username = await usernameOf(ctx, accountId)
    const like = username === null ? null : renderLike(ctx, username, id, uri)
    return like && username !== null ? { username, instrument: like, plain: like, topic: `like ${uri}` } : null
  }
  if (kind === 'announce') {
    const boost = (await loadBoosts(ctx, [id])).get(id)
    const announce = boost && renderAnnounce(ctx, boost)
    return announce ? { username: boost.username, instrument: announce, plain: announce, topic: `status ${id}` } : null
  }
  const statusId =
    kind === 'reply'
      ? id
      : (await ctx.db.maybe<{ status_id: string }>(sql`select status_id from quotes where id = ${id}`))?.status_id
  const note = statusId === undefined ? undefined : (await loadNotes(ctx, [statusId])).get(statusId)
  if (!note) return null
  const rendered = { username: note.username, instrument: renderNote(ctx, note), plain: renderCreate(ctx, note) }
  return kind === 'reply' ? { ...rendered, topic: `status ${id}` } : rendered
}

/** Accept, with an authorization, or Reject of what another server asked for. */
export async function answerRequest(ctx: Context, data: Answer, eventId: string): Promise<Outgoing | null> {
  const { accountId, request, id } = data
  const kind = kindOf(data.activity)
  const [username, requester] = await Promise.all([
    usernameOf(ctx, accountId),
    findAccountUri(ctx, request.requesterId),
  ])
  if (username === null || requester === null) return null
  const accepts = data.activity.startsWith('accept')
  const actor = accountUri(ctx, username)
  const activity = {
    '@context': noteContext,
    id: `${actor}#${accepts ? 'accepts' : 'rejects'}/${kind}_requests/${eventId}`,
    type: accepts ? 'Accept' : 'Reject',
    actor,
    to: requester,
    object: {
      ...(request.uri === null ? {} : { id: request.uri }),
      type: requestType(kind),
      actor: requester,
      object: request.object,
      instrument: request.instrument,
    },
    ...(accepts && id !== null ? { result: authorizationUri(ctx, kind, username, id) } : {}),
  }
  return { accountId, activity, to: { accountIds: [request.requesterId] } }
}

/** Delete of the authorization of a quote: its author does not agree any longer. Servers with the quoted post may have the quote too. */
export async function revokeQuote(ctx: Context, data: Of<'revoke-quote'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const uri = authorizationUri(ctx, 'quote', username, data.quoteId)
  const activity = {
    '@context': noteContext,
    id: `${uri}#delete`,
    type: 'Delete',
    actor: accountUri(ctx, username),
    object: { id: uri, type: authorizationType('quote') },
  }
  return {
    accountId: data.accountId,
    activity,
    to: { accountIds: data.to, followersOf: [data.accountId], reachOf: data.quotedStatusId },
  }
}

/** The authorized interaction, and its target `o`, an open post of the account. Boosts and favourites are named by their uri. */
const AUTHORIZED: Record<Interaction, (id: string) => Sql> = {
  quote: (id) => sql`
    select s.uri, a.username, s.id as status_id, o.id as target_id from quotes q join statuses s on s.id = q.status_id
    join accounts a on a.id = s.account_id join statuses o on o.id = q.quoted_status_id where q.id = ${id} and q.state = 'accepted'`,
  reply: (id) => sql`
    select s.uri, a.username, s.id as status_id, o.id as target_id from statuses s join accounts a on a.id = s.account_id
    join statuses o on o.id = s.in_reply_to_id where s.id = ${id} and s.approval is null`,
  announce: (id) => sql`
    select s.uri, a.username, s.id as status_id, o.id as target_id from statuses s join accounts a on a.id = s.account_id
    join statuses o on o.id = s.reblog_of_id where s.id = ${id} and s.uri is not null`,
  like: (id) => sql`
    select f.uri, a.username, o.id as status_id, o.id as target_id from favourites f join accounts a on a.id = f.account_id
    join statuses o on o.id = f.status_id where f.id = ${id} and f.uri is not null`,
}

type Authorized = { uri: string | null; username: string; status_id: string; target_id: string }

/** GET /users/:username/{quote,reply,announce,like}_authorizations/:id. Throws NotFound. */
export async function authorizationDocument(
  ctx: Context,
  account: { id: string; username: string },
  kind: Interaction,
  id: string,
): Promise<unknown> {
  const row = await ctx.db.maybe<Authorized>(sql`
    select found.* from (${AUTHORIZED[kind](id)}) found join statuses o on o.id = found.target_id
    where o.account_id = ${account.id} and o.visibility in ('public', 'unlisted')`)
  if (!row) throw new NotFound()
  return {
    '@context': noteContext,
    id: authorizationUri(ctx, kind, account.username, id),
    type: authorizationType(kind),
    attributedTo: accountUri(ctx, account.username),
    interactingObject: row.uri ?? statusUri(ctx, row.username, row.status_id),
    interactionTarget: statusUri(ctx, account.username, row.target_id),
  }
}
