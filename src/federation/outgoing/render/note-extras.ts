import { publicCollection } from '../../../ap/audience.ts'
import { authorizationProperty, type AuthorizedKind } from '../../../ap/authorization.ts'
import type { Context } from '../../../context.ts'
import { sql, type Sql } from '../../../db/sql.ts'
import { accountUri, statusUri } from '../../../domain/server/addresses.ts'
import { visibleTo } from '../../../domain/statuses/visibility.ts'
import { unpackPolicy } from '../../../domain/statuses/quotes/policy.ts'
import { authorizationUri, followersUri, followingUri } from '../../ids.ts'

export type NotePoll = {
  options: string[]
  tallies: number[]
  voters_count: number | null
  multiple: boolean
  hide_totals: boolean
  expires_at: string | null
  expired: boolean | null
}

export type NoteQuote = {
  id: string
  state: string
  approval_uri: string | null
  /** Of the quoted post, where it is still there; `quoted_uri` was given by another server. */
  status_id: string | null
  uri: string | null
  quoted_uri: string | null
  username: string | null
  domain: string | null
}

/** The poll of a status `s`, where it has one. */
export const pollColumn: Sql = sql`
  case when s.poll_id is not null then (
    select json_build_object('options', np.options, 'tallies', np.tallies, 'voters_count', np.voters_count, 'multiple', np.multiple,
      'hide_totals', np.hide_totals, 'expires_at', np.expires_at, 'expired', np.expires_at <= now())
    from polls np where np.id = s.poll_id) end as poll`

/** What a status `s` quotes, if anything. */
export const quoteColumn: Sql = sql`
  case when s.quote_id is not null then (
    select json_build_object('id', nq.id::text, 'state', nq.state, 'approval_uri', nq.approval_uri, 'status_id', ns.id::text, 'uri', ns.uri,
      'quoted_uri', nq.quoted_uri, 'username', na.username, 'domain', na.domain)
    from quotes nq left join statuses ns on ns.id = nq.quoted_status_id left join accounts na on na.id = ns.account_id
    where nq.id = s.quote_id) end as quote`

/** How many replies the embedded first page lists: as many as Mastodon embeds. */
const EMBEDDED_REPLIES = 5

/** The newest replies to a status `s` that everyone may read. */
export const repliesColumn: Sql = sql`
  coalesce((select json_agg(json_build_object('id', nr.id::text, 'uri', nr.uri, 'username', nr.username) order by nr.id desc) from (
    select s.id, s.uri, a.username from (select r.* from statuses r where r.in_reply_to_id = s.id) s join accounts a on a.id = s.account_id
    where ${visibleTo(null)} order by s.id desc limit ${EMBEDDED_REPLIES}::int) nr), '[]') as replies`

/**
 * The collection of replies with its first page embedded: GoToSocial and Mastodon do not follow a bare address. `next`
 * continues after the embedded items, and is there even when there are none, as the copy a peer keeps grows old.
 */
export function repliesMember(
  ctx: Context,
  uri: string,
  replies: readonly { id: string; uri: string | null; username: string }[],
): Record<string, unknown> {
  const id = `${uri}/replies`
  const last = replies.at(-1)
  return {
    id,
    type: 'Collection',
    first: {
      type: 'CollectionPage',
      next: `${id}?page=true${last ? `&max_id=${last.id}` : ''}`,
      partOf: id,
      items: replies.map((reply) => reply.uri ?? statusUri(ctx, reply.username, reply.id)),
    },
  }
}

/** The members that make a note a Question. Hidden results are left out until the poll ends. */
export function pollMembers(poll: NotePoll | null): Record<string, unknown> {
  if (!poll) return {}
  const showsTotals = !poll.hide_totals || poll.expired
  const end = poll.expires_at && new Date(poll.expires_at).toISOString()
  return {
    [poll.multiple ? 'anyOf' : 'oneOf']: poll.options.map((name, i) => ({
      type: 'Note',
      name,
      replies: { type: 'Collection', ...(showsTotals ? { totalItems: poll.tallies[i] ?? 0 } : {}) },
    })),
    ...(end ? { endTime: end } : {}),
    ...(end && poll.expired ? { closed: end } : {}),
    ...(poll.voters_count === null ? {} : { votersCount: poll.voters_count }),
  }
}

/** The quoted post under all the names that servers know, and the stamp of its author. */
export function quoteMembers(ctx: Context, quote: NoteQuote | null): Record<string, unknown> {
  const uri = quote && uriOf(ctx, quote)
  if (!quote || !uri) return {}
  const stamp = stampOf(ctx, quote)
  return {
    quote: uri,
    quoteUri: uri,
    quoteUrl: uri,
    _misskey_quote: uri,
    ...(stamp ? { quoteAuthorization: stamp } : {}),
  }
}

function uriOf(ctx: Context, { uri, status_id: id, username, quoted_uri: known }: NoteQuote): string | null {
  return uri ?? (id !== null && username !== null ? statusUri(ctx, username, id) : known)
}

function stampOf(
  ctx: Context,
  { id, state, approval_uri: uri, username, domain, status_id: statusId }: NoteQuote,
): string | null {
  if (state !== 'accepted') return null
  return (
    uri ??
    (statusId !== null && username !== null && domain === null ? authorizationUri(ctx, 'quote', username, id) : null)
  )
}

/** The proof that the author of the target approved a reply, boost or favourite; GoToSocial up to 0.19 reads `approvedBy`. */
export function authorizationMembers(kind: AuthorizedKind, uri: string | null): Record<string, string> {
  return uri === null ? {} : { [authorizationProperty(kind)]: uri, approvedBy: uri }
}

const only = (uris: string[]): Record<string, string[]> => ({ automaticApproval: uris, always: uris })
const anybody = only([publicCollection])

/**
 * Who may quote. Nobody else is said by naming the author, as an empty list would say nothing. GoToSocial up to 0.20 takes what
 * is not said for a refusal, so the rest is said as well, in its words of then and now.
 */
export function interactionPolicy(
  ctx: Context,
  { username, visibility, quote_policy }: { username: string; visibility: string; quote_policy: number },
): Record<string, unknown> {
  const { automatic, manual } = unpackPolicy(quote_policy)
  const uris = (groups: typeof automatic): string[] =>
    groups.flatMap((group) => {
      if (group === 'public') return [publicCollection]
      if (group === 'followers') return [followersUri(ctx, username)]
      return group === 'following' ? [followingUri(ctx, username)] : []
    })
  const open = uris(automatic)
  return {
    canQuote: {
      automaticApproval: open.length > 0 ? open : [accountUri(ctx, username)],
      ...(manual.length > 0 ? { manualApproval: uris(manual) } : {}),
    },
    canReply: anybody,
    canLike: anybody,
    canAnnounce: visibility === 'public' || visibility === 'unlisted' ? anybody : only([accountUri(ctx, username)]),
  }
}
