import { publicCollection } from '../../../ap/audience.ts'
import { authorizationProperty, type AuthorizedKind } from '../../../ap/authorization.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, Polls, Quotes, Statuses } from '../../../db/schema.ts'
import { sql, type Sql } from '../../../db/sql.ts'
import { accountUri, statusUri } from '../../../domain/server/addresses.ts'
import { isPublicOrUnlisted, visibleTo } from '../../../domain/statuses/visibility.ts'
import { unpackPolicy } from '../../../lib/approval-policy.ts'
import { authorizationUri, followersUri, followingUri } from '../../ids.ts'

export type NotePoll = Pick<Polls, 'options' | 'tallies' | 'voters_count' | 'multiple' | 'hide_totals'> & {
  expires_at: string | null
  expired: boolean | null
}

/** `quoted_uri`: the URI that a remote server gave; the quoted status may not be stored. */
export type NoteQuote = Pick<Quotes, 'id' | 'state' | 'approval_uri' | 'quoted_uri'> & {
  status_id: Statuses['id'] | null
  uri: Statuses['uri']
  username: Accounts['username'] | null
  domain: Accounts['domain']
}

export type NoteReply = Pick<Statuses, 'id' | 'uri'> & Pick<Accounts, 'username'>

export const pollColumn: Sql = sql`
  case when s.poll_id is not null then (
    select json_build_object('options', np.options, 'tallies', np.tallies, 'voters_count', np.voters_count, 'multiple', np.multiple,
      'hide_totals', np.hide_totals, 'expires_at', np.expires_at, 'expired', np.expires_at <= now())
    from polls np where np.id = s.poll_id) end as poll`

export const quoteColumn: Sql = sql`
  case when s.quote_id is not null then (
    select json_build_object('id', nq.id::text, 'state', nq.state, 'approval_uri', nq.approval_uri, 'status_id', ns.id::text, 'uri', ns.uri,
      'quoted_uri', nq.quoted_uri, 'username', na.username, 'domain', na.domain)
    from quotes nq left join statuses ns on ns.id = nq.quoted_status_id left join accounts na on na.id = ns.account_id
    where nq.id = s.quote_id) end as quote`

/** As many as Mastodon embeds. */
const EMBEDDED_REPLIES = 5

/** For a status `s`. Only replies that everyone may read. */
export const repliesColumn: Sql = sql`
  coalesce((select json_agg(json_build_object('id', nr.id::text, 'uri', nr.uri, 'username', nr.username) order by nr.id desc) from (
    select s.id, s.uri, a.username from (
      select r.id, r.uri, r.account_id, r.visibility, r.approval from statuses r where r.in_reply_to_id = s.id) s join accounts a on a.id = s.account_id
    where ${visibleTo(null)} order by s.id desc limit ${EMBEDDED_REPLIES}::int) nr), '[]') as replies`

/**
 * GoToSocial and Mastodon do not fetch a mere URI, so the first page is embedded. `next` continues after its items. It is given
 * even without any, because replies may arrive after a peer stored the note.
 */
export function repliesMember(ctx: Context, uri: string, replies: readonly NoteReply[]): Record<string, unknown> {
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

/** The results stay out until the poll ends if they are hidden. */
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

/**
 * Gives the URI in all properties that servers read, and the authorization by the author (FEP-044f). Mastodon expects a Tombstone
 * in place of a quoted post that was deleted.
 */
export function quoteMembers(ctx: Context, quote: NoteQuote | null): Record<string, unknown> {
  if (quote?.state === 'accepted' && quote.status_id === null) return { quote: { type: 'Tombstone' } }
  const uri = quote && uriOf(ctx, quote)
  if (!quote || !uri) return {}
  const authorization = authorizationOf(ctx, quote)
  return {
    quote: uri,
    quoteUri: uri,
    quoteUrl: uri,
    _misskey_quote: uri,
    ...(authorization ? { quoteAuthorization: authorization } : {}),
  }
}

function uriOf(ctx: Context, { uri, status_id: id, username, quoted_uri: known }: NoteQuote): string | null {
  return uri ?? (id !== null && username !== null ? statusUri(ctx, username, id) : known)
}

function authorizationOf(
  ctx: Context,
  { id, state, approval_uri: uri, username, domain, status_id: statusId }: NoteQuote,
): string | null {
  if (state !== 'accepted') return null
  return (
    uri ??
    (statusId !== null && username !== null && domain === null ? authorizationUri(ctx, 'quote', username, id) : null)
  )
}

/** GoToSocial up to 0.19 reads `approvedBy`. */
export function authorizationMembers(kind: AuthorizedKind, uri: string | null): Record<string, string> {
  return uri === null ? {} : { [authorizationProperty(kind)]: uri, approvedBy: uri }
}

const rule = (uris: string[]): Record<string, string[]> => ({ automaticApproval: uris, always: uris })
const everyone = rule([publicCollection])

/**
 * A status that others may not quote names its author, as servers ignore an empty list. GoToSocial up to 0.20 treats a missing
 * rule as a refusal, so all rules are given, in its older and its current form.
 */
export function interactionPolicy(
  ctx: Context,
  { username, visibility, quote_policy }: Pick<Accounts, 'username'> & Pick<Statuses, 'visibility' | 'quote_policy'>,
): Record<string, unknown> {
  const { automatic, manual } = unpackPolicy(quote_policy)
  const uris = (groups: typeof automatic): string[] =>
    groups.flatMap((group) => {
      if (group === 'public') return [publicCollection]
      if (group === 'followers') return [followersUri(ctx, username)]
      return group === 'following' ? [followingUri(ctx, username)] : []
    })
  const allowed = uris(automatic)
  return {
    canQuote: {
      automaticApproval: allowed.length > 0 ? allowed : [accountUri(ctx, username)],
      ...(manual.length > 0 ? { manualApproval: uris(manual) } : {}),
    },
    canReply: everyone,
    canLike: everyone,
    canAnnounce: isPublicOrUnlisted(visibility) ? everyone : rule([accountUri(ctx, username)]),
  }
}
