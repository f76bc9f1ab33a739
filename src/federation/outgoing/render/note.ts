import { publicCollection } from '../../../ap/audience.ts'
import { isHttpUrl } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri, conversationUri, statusUri, statusUrl, tagUrl } from '../../../domain/server/addresses.ts'
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
} from './note-extras.ts'
import { renderEmojis } from './tags.ts'

type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

export type NoteRow = {
  id: string
  account_id: string
  username: string
  content: string
  spoiler_text: string
  visibility: Visibility
  sensitive: boolean
  language: string | null
  parent_uri: string | null
  parent_id: string | null
  parent_username: string | null
  in_reply_to_uri: string | null
  conversation_id: string | null
  conversation_uri: string | null
  media_ids: string[]
  edited_at: Date | null
  created_at: Date
  mentions: { uri: string | null; username: string; domain: string | null }[]
  tags: string[]
  quote_policy: number
  approval: string | null
  approval_uri: string | null
  favourites_count: number
  reblogs_count: number
  poll: NotePoll | null
  quote: NoteQuote | null
  /** The newest public replies: URI, or username and id of a local one. */
  replies: { id: string; uri: string | null; username: string }[]
  media: {
    id: string
    file_key: string | null
    content_type: string | null
    description: string | null
    blurhash: string | null
    meta: MediaMeta
  }[]
}

type MediaMeta = {
  original?: { width?: number; height?: number; duration?: number }
  focus?: { x: number; y: number } | null
}

/** Reads statuses of this server for rendering, by id, boosts left out. One statement. */
export async function loadNotes(ctx: Context, ids: readonly string[]): Promise<Map<string, NoteRow>> {
  await loadEmojis(ctx)
  const rows = await ctx.db.many<NoteRow>(sql`
    select s.*, a.username, p.uri as parent_uri, p.id as parent_id, pa.username as parent_username, c.uri as conversation_uri,
      coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
      ${pollColumn}, ${quoteColumn}, ${repliesColumn},
      coalesce((select json_agg(json_build_object('uri', ma.uri, 'username', ma.username, 'domain', ma.domain) order by ma.id)
        from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id), '[]') as mentions,
      array(select t.display_name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id order by t.id) as tags,
      coalesce((select json_agg(json_build_object('id', ma.id::text, 'file_key', ma.file_key, 'content_type', ma.content_type,
          'description', ma.description, 'blurhash', ma.blurhash, 'meta', ma.meta) order by array_position(s.media_ids, ma.id))
        from media_attachments ma where ma.status_id = s.id), '[]') as media
    from statuses s join accounts a on a.id = s.account_id
    left join statuses p on p.id = s.in_reply_to_id left join accounts pa on pa.id = p.account_id
    left join conversations c on c.id = s.conversation_id left join status_stats st on st.status_id = s.id
    where s.id = any(${ids}::bigint[]) and s.local and s.reblog_of_id is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Who is addressed: to and cc of a note and of the activity that carries it. */
export function audienceOf(
  ctx: Context,
  row: Pick<NoteRow, 'username' | 'visibility' | 'mentions'>,
): { to: string[]; cc: string[] } {
  const followers = followersUri(ctx, row.username)
  const mentioned = row.mentions
    .map((account) => (account.domain === null ? accountUri(ctx, account.username) : (account.uri ?? '')))
    .filter(Boolean)
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

/** The Note of a status of this server, without @context. */
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
    attachment: row.media.flatMap((medium) => renderAttachment(ctx, medium)),
    tag: [
      ...row.mentions.map((account) => ({
        type: 'Mention',
        href: account.domain === null ? accountUri(ctx, account.username) : account.uri,
        name: `@${account.username}@${account.domain ?? ctx.config.localDomain}`,
      })),
      ...row.tags.map((name) => ({ type: 'Hashtag', href: tagUrl(ctx, name.toLowerCase()), name: `#${name}` })),
      ...renderEmojis(emojisIn(ctx, [], null, [row.content, row.spoiler_text, ...(row.poll?.options ?? [])])),
    ],
    ...collections(ctx, uri, row),
  }
}

/** The thread, under both names that servers know: as the one where it began calls it. */
function threadMembers(
  ctx: Context,
  { conversation_id: id, conversation_uri: given }: NoteRow,
): Record<string, string> {
  const uri = given ?? (id === null ? null : conversationUri(ctx, id))
  if (uri === null) return {}
  return { conversation: uri, ...(isHttpUrl(uri) ? { context: uri } : {}) }
}

/** Counts are embedded: Pleroma refuses a note whose `likes` it cannot take for a list, unless it is a collection. */
const collections = (ctx: Context, uri: string, row: NoteRow): Record<string, unknown> => ({
  replies: repliesMember(ctx, uri, row.replies),
  likes: { id: `${uri}/likes`, type: 'Collection', totalItems: row.favourites_count },
  shares: { id: `${uri}/shares`, type: 'Collection', totalItems: row.reblogs_count },
})

/** An ISO 8601 duration in whole seconds: go-fed, which GoToSocial uses, cannot parse fractions. */
const durationText = (seconds: number): string => `PT${Math.max(1, Math.round(seconds))}S`

function renderAttachment(ctx: Context, medium: NoteRow['media'][number]): Record<string, unknown>[] {
  if (medium.file_key === null) return []
  const { original, focus } = medium.meta
  return [
    {
      type: medium.content_type?.startsWith('image/') ? 'Image' : 'Document',
      mediaType: medium.content_type,
      url: ctx.files.url(medium.file_key),
      name: medium.description,
      ...(medium.blurhash ? { blurhash: medium.blurhash } : {}),
      ...(original?.width ? { width: original.width, height: original.height } : {}),
      ...(original?.duration ? { duration: durationText(original.duration) } : {}),
      ...(focus ? { focalPoint: [focus.x, focus.y] } : {}),
    },
  ]
}
