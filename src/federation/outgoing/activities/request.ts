import { type AuthorizedKind, authorizationType, requestType } from '../../../ap/authorization.ts'
import { featuredCollectionContext, noteContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, Quotes, Statuses } from '../../../db/schema.ts'
import { sql, type Sql } from '../../../db/sql.ts'
import type { ActivityTopic } from '../../../domain/peers/activities.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import type { Interaction } from '../../../jobs/distribution.ts'
import { publicCollection } from '../../../ap/audience.ts'
import { authorizationUri, findAccountUri, requestUri, usernameOf } from '../../ids.ts'
import { renderAnnounce, renderCreate, renderLike } from '../render/activity.ts'
import { loadReblogs } from '../render/reblog.ts'
import { loadNotes, renderNote } from '../render/note.ts'
import { prepareFeatureRequest } from './collection.ts'
import type { Prepare } from './outgoing.ts'

// Requests to approve a quote, reply, boost or favourite, and their answers: FEP-044f for quotes, and for the others
// https://docs.gotosocial.org/en/latest/federation/interaction_controls/

type TargetRow = Pick<Statuses, 'uri'> & {
  author_id: Accounts['id']
  author_uri: Accounts['uri']
  legacy: boolean | null
}

type RequestedInteraction = {
  username: string
  instrument: Record<string, unknown>
  plain: Record<string, unknown>
  topic?: ActivityTopic
}

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
 * Asks the author of a remote status to approve an interaction, which the request contains. Other servers receive it after the
 * approval. Servers that know only the policies of GoToSocial before 0.19 receive the plain activity.
 */
export const prepareRequest: Prepare<'request'> = async (ctx, { interaction: kind, accountId, id }) => {
  if (kind === 'feature') return prepareFeatureRequest(ctx, accountId, id)
  const found = await ctx.db.maybe<TargetRow>(TARGETS[kind](id))
  const uri = found?.uri
  const prepared = uri ? await load(ctx, kind, { id, accountId, uri }) : null
  if (!found || !uri || !prepared) return null
  const { '@context': _context, ...instrument } = prepared.instrument
  const request = {
    '@context': noteContext,
    id: requestUri(ctx, kind, prepared.username, id),
    type: requestType(kind),
    actor: accountUri(ctx, prepared.username),
    ...(found.author_uri === null ? {} : { to: found.author_uri }),
    object: uri,
    instrument,
  }
  return {
    accountId,
    activity: found.legacy && kind !== 'quote' ? prepared.plain : request,
    ...(prepared.topic === undefined ? {} : { topic: prepared.topic }),
    to: { accountIds: [found.author_id], inOwnInboxes: true },
  }
}

async function load(
  ctx: Context,
  kind: Interaction,
  { id, accountId, uri }: { id: string; accountId: string; uri: string },
): Promise<RequestedInteraction | null> {
  if (kind === 'like') {
    const username = await usernameOf(ctx, accountId)
    const like = username === null ? null : renderLike(ctx, username, { id, object: uri })
    return like && username !== null
      ? { username, instrument: like, plain: like, topic: { kind: 'like', id: uri } }
      : null
  }
  if (kind === 'announce') {
    const reblog = (await loadReblogs(ctx, [id])).get(id)
    const announce = reblog && renderAnnounce(ctx, reblog)
    return announce
      ? { username: reblog.username, instrument: announce, plain: announce, topic: { kind: 'status', id } }
      : null
  }
  const statusId =
    kind === 'reply'
      ? id
      : (await ctx.db.maybe<Pick<Quotes, 'status_id'>>(sql`select status_id from quotes where id = ${id}`))?.status_id
  const note = statusId === undefined ? undefined : (await loadNotes(ctx, [statusId])).get(statusId)
  if (!note) return null
  const rendered = { username: note.username, instrument: renderNote(ctx, note), plain: renderCreate(ctx, note) }
  return kind === 'reply' ? { ...rendered, topic: { kind: 'status', id } } : rendered
}

export const prepareRequestAnswer: Prepare<'answer-request'> = async (ctx, act, jobId) => {
  const { accountId, interaction, request, id } = act
  const [username, requester] = await Promise.all([
    usernameOf(ctx, accountId),
    findAccountUri(ctx, request.requesterId),
  ])
  if (username === null || requester === null) return null
  const actor = accountUri(ctx, username)
  const activity = {
    '@context': contextOf(interaction),
    id: `${actor}#${id === null ? 'rejects' : 'accepts'}/${interaction}_requests/${jobId}`,
    type: id === null ? 'Reject' : 'Accept',
    actor,
    to: requester,
    object: {
      ...(request.uri === null ? {} : { id: request.uri }),
      type: requestType(interaction),
      actor: requester,
      object: request.object,
      instrument: request.instrument,
    },
    ...(id === null ? {} : { result: authorizationUri(ctx, interaction, username, id) }),
  }
  return { accountId, activity, to: { accountIds: [request.requesterId], inOwnInboxes: true } }
}

const contextOf = (kind: AuthorizedKind): unknown => (kind === 'feature' ? featuredCollectionContext : noteContext)

/** Servers that have the quoted status may have the quote too, so they also receive the Delete. */
export const prepareQuoteRevocation: Prepare<'revoke-quote'> = async (ctx, act) => {
  const username = await usernameOf(ctx, act.accountId)
  if (username === null) return null
  return {
    accountId: act.accountId,
    activity: renderRevocation(ctx, username, { kind: 'quote', id: act.quoteId }),
    to: { accountIds: act.to, followersOf: [act.accountId], copiesOf: act.quotedStatusId },
  }
}

/** Servers of followers may have the collection too. */
export const prepareFeatureRevocation: Prepare<'revoke-feature'> = async (ctx, act) => {
  const username = await usernameOf(ctx, act.accountId)
  if (username === null) return null
  const interaction = { interactingObject: act.collectionUri, interactionTarget: accountUri(ctx, username) }
  return {
    accountId: act.accountId,
    activity: renderRevocation(ctx, username, { kind: 'feature', id: act.itemId, interaction }),
    to: { accountIds: act.to, followersOf: [act.accountId] },
  }
}

type Revoked = {
  kind: AuthorizedKind
  id: string
  interaction?: { interactingObject: string; interactionTarget: string }
}

/** The Delete of an authorization. */
function renderRevocation(ctx: Context, username: string, { kind, id, interaction }: Revoked): Record<string, unknown> {
  const uri = authorizationUri(ctx, kind, username, id)
  return {
    '@context': contextOf(kind),
    id: `${uri}#delete`,
    type: 'Delete',
    actor: accountUri(ctx, username),
    to: [publicCollection],
    object: { id: uri, type: authorizationType(kind), ...interaction },
  }
}
