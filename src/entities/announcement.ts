import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { findActive, type AnnouncementRow } from '../domain/announcements/announcements.ts'
import { listReactions, type ReactionRow } from '../domain/announcements/reactions.ts'
import { statusUrl, tagUrl } from '../domain/server/addresses.ts'
import { linkOf, parseMentions } from '../domain/accounts/mentions.ts'
import { findMentioned } from '../domain/statuses/mentions.ts'
import type { StatusRow } from '../domain/statuses/find.ts'
import { findVisibleStatuses } from '../domain/statuses/visibility.ts'
import { extractHashtags } from '../lib/text/extract.ts'
import { formatText } from '../lib/text/format.ts'
import { CustomEmoji, emojisIn, loadEmojis } from './emojis.ts'
import { DateTime, Id, nullable } from './schema.ts'
import { StatusTag } from './status.ts'

/** https://docs.joinmastodon.org/entities/Reaction/ */
export const Reaction = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer(),
    me: Type.Optional(Type.Boolean()),
    url: Type.Optional(Type.String()),
    static_url: Type.Optional(Type.String()),
  },
  { $id: 'Reaction' },
)

/** https://docs.joinmastodon.org/entities/Announcement/ */
export const Announcement = Type.Object(
  {
    id: Id,
    content: Type.String(),
    starts_at: nullable(DateTime),
    ends_at: nullable(DateTime),
    all_day: Type.Boolean(),
    published_at: DateTime,
    updated_at: DateTime,
    read: Type.Optional(Type.Boolean()),
    mentions: Type.Array(
      Type.Object(
        { id: Id, username: Type.String(), url: Type.String(), acct: Type.String() },
        { $id: 'Announcement_Account' },
      ),
    ),
    statuses: Type.Array(Type.Object({ id: Id, url: Type.String() }, { $id: 'Announcement_Status' })),
    tags: Type.Array(StatusTag),
    emojis: Type.Array(CustomEmoji),
    reactions: Type.Array(Reaction),
  },
  { $id: 'Announcement' },
)
export type Announcement = Static<typeof Announcement>

/** The active ones, newest first, for the account: null for streams, whose events are the same for all. */
export async function presentActive(
  ctx: Context,
  accountId: string | null,
  { id = null }: { id?: string | null } = {},
): Promise<Announcement[]> {
  return presentAnnouncements(ctx, await findActive(ctx, { accountId, id }), accountId)
}

/** Also those that are not published, for their preview. */
export async function presentAnnouncements(
  ctx: Context,
  rows: readonly (AnnouncementRow & { read?: boolean })[],
  accountId: string | null,
): Promise<Announcement[]> {
  if (rows.length === 0) return []
  const handles = new Map(rows.flatMap(({ text }) => parseMentions(ctx, text)).map((one) => [one.handle, one]))
  const [mentioned, reactions, statuses] = await Promise.all([
    findMentioned(ctx, [...handles.values()], null),
    listReactions(
      ctx,
      rows.map(({ id }) => id),
      { accountId },
    ),
    findVisibleStatuses(
      ctx,
      null,
      rows.flatMap(({ status_ids }) => status_ids),
    ),
    loadEmojis(ctx),
  ])
  const links = new Map(mentioned.map((account) => [account.handle, { ...linkOf(ctx, account), account }]))
  const ofRow = Map.groupBy(reactions, ({ announcement_id }) => announcement_id)
  return rows.map((row) => {
    const own = parseMentions(ctx, row.text).flatMap(({ handle }) => links.get(handle) ?? [])
    const content = formatText(row.text, { mentions: links, tagUrl: (name) => tagUrl(ctx, name) })
    return {
      id: row.id,
      content,
      starts_at: row.starts_at?.toISOString() ?? null,
      ends_at: row.ends_at?.toISOString() ?? null,
      all_day: row.all_day,
      published_at: (row.published_at ?? new Date()).toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...(accountId !== null && row.read !== undefined ? { read: row.read } : {}),
      mentions: own.map(({ url, acct, account: { id, username } }) => ({ id, username, url, acct })),
      statuses: statuses.filter(({ id }) => row.status_ids.includes(id)).map((status) => linkTo(ctx, status)),
      tags: extractHashtags(row.text).map(({ name }) => ({ name, url: tagUrl(ctx, name) })),
      emojis: emojisIn(ctx, [], null, [content]),
      reactions: (ofRow.get(row.id) ?? []).map((reaction) => ({
        ...presentReaction(ctx, reaction),
        ...(accountId === null ? {} : { me: reaction.me }),
      })),
    }
  })
}

const linkTo = (ctx: Context, { id, url, username, local }: StatusRow): { id: string; url: string } => ({
  id,
  url: local ? statusUrl(ctx, username, id) : (url ?? ''),
})

function presentReaction(
  ctx: Context,
  { name, count, image_key: image, static_key: still }: ReactionRow,
): Static<typeof Reaction> {
  return {
    name,
    count,
    ...(image === null ? {} : { url: ctx.files.url(image), static_url: ctx.files.url(still ?? image) }),
  }
}

/** The event after a reaction was added or removed, without a viewer; `count` is 0 for the last one. */
export async function presentReactionEvent(
  ctx: Context,
  announcementId: string,
  name: string,
): Promise<Static<typeof Reaction> & { announcement_id: string }> {
  const [row] = await listReactions(ctx, [announcementId], { name })
  const reaction = row ? presentReaction(ctx, row) : { name, count: 0 }
  return { ...reaction, announcement_id: announcementId }
}
