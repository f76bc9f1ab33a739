import { publicCollection } from '../../../ap/audience.ts'
import { isHttpUrl } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, Conversations, MediaAttachments, Statuses, StatusStats } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import type { Focus } from '../../../domain/media/attachments.ts'
import { contentTypeOf } from '../../../domain/media/types.ts'
import {
  accountUri,
  conversationUri,
  fullHandle,
  statusUri,
  statusUrl,
  tagUrl,
} from '../../../domain/server/addresses.ts'
import { emojisIn, loadEmojis } from '../../../entities/emojis.ts'
import { followersUri } from '../../ids.ts'
import {
  authorizationMembers,
  interactionPolicy,
  pollColumn,
  pollMembers,
  quoteColumn,
  quoteMembers,
  repliesColumn,
  repliesMember,
  type NotePoll,
  type NoteQuote,
  type NoteReply,
} from './note-extras.ts'
import { renderEmojis } from './tags.ts'

export type NoteRow = Pick<
  Statuses,
  | 'id'
  | 'account_id'
  | 'content'
  | 'spoiler_text'
  | 'visibility'
  | 'sensitive'
  | 'language'
  | 'in_reply_to_uri'
  | 'conversation_id'
  | 'edited_at'
  | 'created_at'
  | 'quote_policy'
  | 'approval'
  | 'approval_uri'
> &
  Pick<Accounts, 'username'> &
  Pick<StatusStats, 'favourites_count' | 'reblogs_count'> & {
    parent_id: Statuses['id'] | null
    parent_uri: Statuses['uri']
    parent_username: Accounts['username'] | null
    conversation_uri: Conversations['uri'] | null
    mentions: Mention[]
    /** Hashtags as their first author spelled them. */
    tags: string[]
    poll: NotePoll | null
    quote: NoteQuote | null
    replies: NoteReply[]
    media: (Pick<MediaAttachments, 'id' | 'file_key' | 'preview_key' | 'content_type' | 'description' | 'blurhash'> & {
      meta: MediaMeta
    })[]
  }

type Mention = Pick<Accounts, 'uri' | 'username' | 'domain'> & {
  /** The collection of followers of a group, to which it passes the post on. */
  followers: string | null
  /** Limited accounts reach only their followers, and those who asked to follow them. */
  addressed: boolean
}

type MediaMeta = {
  original?: { width?: number; height?: number; duration?: number }
  focus?: Focus | null
}

/** Local statuses other than boosts. One statement. */
export async function loadNotes(ctx: Context, ids: readonly string[]): Promise<Map<string, NoteRow>> {
  await loadEmojis(ctx)
  const rows = await ctx.db.many<NoteRow>(sql`
    select s.id, s.account_id, s.content, s.spoiler_text, s.visibility, s.sensitive or a.sensitized_at is not null as sensitive, s.language, s.in_reply_to_uri, s.conversation_id,
      s.edited_at, s.created_at, s.quote_policy, s.approval, s.approval_uri, a.username, p.uri as parent_uri, p.id as parent_id, pa.username as parent_username, c.uri as conversation_uri,
      coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
      ${pollColumn}, ${quoteColumn}, ${repliesColumn},
      coalesce((select json_agg(json_build_object('uri', ma.uri, 'username', ma.username, 'domain', ma.domain,
          'followers', case when ma.actor_type = 'Group' then ma.followers_url end, 'addressed', a.silenced_at is null
            or exists (select from follows f where f.account_id = ma.id and f.target_account_id = a.id)
            or exists (select from follow_requests r where r.account_id = ma.id and r.target_account_id = a.id)) order by m.place, ma.id)
        from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id), '[]') as mentions,
      array(select t.display_name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id order by t.id) as tags,
      coalesce((select json_agg(json_build_object('id', ma.id::text, 'file_key', ma.file_key, 'preview_key', ma.preview_key, 'content_type', ma.content_type,
          'description', ma.description, 'blurhash', ma.blurhash, 'meta', ma.meta) order by array_position(s.media_ids, ma.id))
        from media_attachments ma where ma.id = any(s.media_ids)), '[]') as media
    from statuses s join accounts a on a.id = s.account_id
    left join statuses p on p.id = s.in_reply_to_id left join accounts pa on pa.id = p.account_id
    left join conversations c on c.id = s.conversation_id left join status_stats st on st.status_id = s.id
    where s.id = any(${ids}::bigint[]) and s.local and s.reblog_of_id is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

export function audienceOf(
  ctx: Context,
  row: Pick<NoteRow, 'username' | 'visibility' | 'mentions'>,
): { to: string[]; cc: string[] } {
  const followers = followersUri(ctx, row.username)
  const mentioned = row.mentions
    .filter(({ addressed }) => addressed)
    .flatMap(({ domain, username, uri, followers }) => [domain === null ? accountUri(ctx, username) : uri, followers])
    .filter((uri) => uri !== null)
  switch (row.visibility) {
    case 'public':
      return { to: [publicCollection], cc: [followers, ...mentioned] }
    case 'unlisted':
      return { to: [followers], cc: [publicCollection, ...mentioned] }
    case 'private':
      return { to: [followers], cc: mentioned }
    case 'direct':
      return { to: mentioned, cc: [] }
  }
}

/** Without `@context`. */
export function renderNote(ctx: Context, row: NoteRow): Record<string, unknown> {
  const uri = statusUri(ctx, row.username, row.id)
  const parent =
    row.parent_uri ??
    (row.parent_id && row.parent_username ? statusUri(ctx, row.parent_username, row.parent_id) : row.in_reply_to_uri)
  return {
    id: uri,
    type: row.poll ? 'Question' : 'Note',
    summary: row.spoiler_text || null,
    inReplyTo: parent,
    published: row.created_at.toISOString(),
    ...(row.edited_at ? { updated: row.edited_at.toISOString() } : {}),
    url: statusUrl(ctx, row.username, row.id),
    attributedTo: accountUri(ctx, row.username),
    ...audienceOf(ctx, row),
    sensitive: row.sensitive,
    ...threadMembers(ctx, row),
    content: row.content,
    ...(row.language ? { contentMap: { [row.language]: row.content } } : {}),
    ...pollMembers(row.poll),
    ...quoteMembers(ctx, row.quote),
    ...authorizationMembers('reply', row.approval === null ? row.approval_uri : null),
    interactionPolicy: interactionPolicy(ctx, row),
    attachment: row.media.flatMap((attachment) => renderAttachment(ctx, attachment)),
    tag: [
      ...row.mentions.map((account) => ({
        type: 'Mention',
        href: account.domain === null ? accountUri(ctx, account.username) : account.uri,
        name: `@${fullHandle(ctx, account)}`,
      })),
      ...row.tags.map((name) => ({ type: 'Hashtag', href: tagUrl(ctx, name.toLowerCase()), name: `#${name}` })),
      ...renderEmojis(emojisIn(ctx, [], null, [row.content, row.spoiler_text, ...(row.poll?.options ?? [])])),
    ],
    ...collections(ctx, uri, row),
  }
}

/** The id of the thread, as the server where it began names it, in both properties that servers read. */
function threadMembers(
  ctx: Context,
  { conversation_id: id, conversation_uri: given }: NoteRow,
): Record<string, string> {
  const uri = given ?? (id === null ? null : conversationUri(ctx, id))
  if (uri === null) return {}
  return { conversation: uri, ...(isHttpUrl(uri) ? { context: uri } : {}) }
}

/** `likes` and `shares` are embedded collections, as Pleroma rejects a note whose `likes` is a URI. */
const collections = (ctx: Context, uri: string, row: NoteRow): Record<string, unknown> => ({
  replies: repliesMember(ctx, uri, row.replies),
  likes: { id: `${uri}/likes`, type: 'Collection', totalItems: row.favourites_count },
  shares: { id: `${uri}/shares`, type: 'Collection', totalItems: row.reblogs_count },
})

/** An ISO 8601 duration in whole seconds: go-fed, which GoToSocial uses, cannot parse fractions. */
const durationText = (seconds: number): string => `PT${Math.max(1, Math.round(seconds))}S`

function renderAttachment(ctx: Context, attachment: NoteRow['media'][number]): Record<string, unknown>[] {
  if (attachment.file_key === null) return []
  const { original, focus } = attachment.meta
  const isImage = attachment.content_type?.startsWith('image/') === true
  const cover = isImage ? null : attachment.preview_key
  return [
    {
      type: isImage ? 'Image' : 'Document',
      mediaType: attachment.content_type,
      url: ctx.files.url(attachment.file_key),
      name: attachment.description,
      ...(attachment.blurhash ? { blurhash: attachment.blurhash } : {}),
      ...(original?.width ? { width: original.width, height: original.height } : {}),
      ...(original?.duration ? { duration: durationText(original.duration) } : {}),
      ...(focus ? { focalPoint: [focus.x, focus.y] } : {}),
      ...(cover === null
        ? {}
        : { icon: { type: 'Image', mediaType: contentTypeOf(cover), url: ctx.files.url(cover) } }),
    },
  ]
}
