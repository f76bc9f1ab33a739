import type { Context } from '../context.ts'
import type { Accounts, Statuses } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { matchedText } from '../domain/filters/text.ts'
import { accountUrl, reblogUri, statusUri, statusUrl, tagUrl } from '../domain/server/addresses.ts'
import type { InteractionPolicy, InteractionRule } from '../domain/statuses/draft.ts'
import { acctOf } from './account-profile.ts'
import { emojisIn, loadEmojis, type RemoteEmoji } from './emojis.ts'
import { mediaColumns, type MediaRow, presentMedia } from './media-attachment.ts'
import { presentCacheable, type EntityFormat, type Presented, presentedCaches } from './entity-format.ts'
import type { PollContent } from './poll.ts'
import { collectionIdsIn } from './status-collections.ts'

type MentionRow = Pick<Accounts, 'id' | 'username' | 'domain' | 'url' | 'uri'>

type StatusColumns =
  | 'id'
  | 'uri'
  | 'url'
  | 'local'
  | 'content'
  | 'visibility'
  | 'spoiler_text'
  | 'language'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'reblog_of_id'
  | 'media_ids'
  | 'approval'
  | 'poll_id'
  | 'edited_at'
  | 'created_at'

type ContentRow = Pick<Statuses, StatusColumns> &
  Pick<Accounts, 'username' | 'domain'> & {
    interaction_policy: InteractionPolicy | null
    emojis: RemoteEmoji[]
    poll_options: string[] | null
    poll_multiple: boolean | null
    application: { name: string; website: string | null } | null
    mentions: MentionRow[] | null
    tags: string[]
  }

/** Members that depend neither on the viewer nor on the author's profile, and that are no counters. */
export type StatusContent = {
  presented: Presented
  /** The `application` member, which the author may hide. */
  application: Presented | null
  poll: PollContent | null
  collectionIds: readonly string[]
  /** The text that filters are matched against. */
  text: string
}

const contents = presentedCaches<StatusContent>(['status'], 32 * 1024 * 1024)

/** Unknown ids have no entry. No statement when all are cached. */
export const loadContents = (
  ctx: Context,
  format: EntityFormat,
  ids: Iterable<string>,
): Promise<Map<string, StatusContent>> =>
  contents(ctx)[format].load(ctx, ids, (missing) => readContents(ctx, format, missing))

/** One statement, and another one for media where there are any. */
async function readContents(
  ctx: Context,
  format: EntityFormat,
  ids: readonly string[],
): Promise<Iterable<[string, StatusContent]>> {
  const [rows] = await Promise.all([
    ctx.db.many<ContentRow>(sql`
      select s.id, s.uri, s.url, s.local, s.content, s.visibility, s.spoiler_text, s.language, s.in_reply_to_id, s.in_reply_to_account_id,
        s.reblog_of_id, s.media_ids, s.interaction_policy, s.approval, s.poll_id, s.emojis, s.edited_at, s.created_at,
        a.username, a.domain, p.options as poll_options, p.multiple as poll_multiple,
        (select json_build_object('name', app.name, 'website', app.website) from oauth_apps app where app.id = s.app_id) as application,
        (select json_agg(json_build_object('id', ma.id::text, 'username', ma.username, 'domain', ma.domain, 'url', ma.url, 'uri', ma.uri) order by m.place, ma.id)
          from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id and not m.hidden) as mentions,
        array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id order by t.id) as tags
      from statuses s join accounts a on a.id = s.account_id left join polls p on p.id = s.poll_id where s.id = any(${ids}::bigint[])`),
    loadEmojis(ctx),
  ])
  const mediaById = await readMedia(ctx, rows)
  return new Map(
    rows.map((row) => {
      const attachments = row.media_ids.flatMap((id) => mediaById.get(id) ?? [])
      const text = matchedText({ ...row, descriptions: attachments.map(({ description }) => description) })
      return [
        row.id,
        {
          presented: presentCacheable(format, contentMembers(ctx, row, attachments)),
          application: row.application && presentCacheable(format, row.application),
          poll: pollContent(ctx, row),
          collectionIds: collectionIdsIn(ctx, row.content),
          text,
        },
      ]
    }),
  )
}

function pollContent(
  ctx: Context,
  { poll_id: id, poll_options: titles, poll_multiple: multiple, emojis, domain }: ContentRow,
): PollContent | null {
  if (id === null || titles === null || multiple === null) return null
  return { id, multiple, titles, emojis: emojisIn(ctx, emojis, domain, titles) }
}

async function readMedia(ctx: Context, rows: readonly ContentRow[]): Promise<Map<string, MediaRow>> {
  const ids = rows.filter(({ media_ids }) => media_ids.length > 0).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const media = await ctx.db.many<MediaRow>(
    sql`select ${mediaColumns} from media_attachments where status_id = any(${ids}::bigint[])`,
  )
  return new Map(media.map((row) => [row.id, row]))
}

function contentMembers(ctx: Context, row: ContentRow, media: MediaRow[]): Record<string, unknown> {
  const isReblog = row.reblog_of_id !== null
  const uri = row.uri ?? (isReblog ? reblogUri : statusUri)(ctx, row.username, row.id)
  const localUrl = isReblog ? uri : statusUrl(ctx, row.username, row.id)
  return {
    id: row.id,
    uri,
    url: row.local ? localUrl : (row.url ?? row.uri),
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    content: row.content,
    visibility: row.visibility,
    spoiler_text: row.spoiler_text,
    language: row.language,
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    media_attachments: media.map((attachment) => presentMedia(ctx, attachment)),
    mentions: (row.mentions ?? []).map((account) => ({
      id: account.id,
      username: account.username,
      url: account.domain === null ? accountUrl(ctx, account.username) : (account.url ?? account.uri ?? ''),
      acct: acctOf(account),
    })),
    tags: row.tags.map((name) => ({ name, url: tagUrl(ctx, name) })),
    ...(row.interaction_policy ? { interaction_policy: presentInteractionPolicy(row.interaction_policy) } : {}),
    ...(row.approval ? { approval: row.approval } : {}),
    emojis: emojisIn(ctx, row.emojis, row.domain, [row.content, row.spoiler_text, ...(row.poll_options ?? [])]),
  }
}

const OPEN: InteractionRule = { automatic: ['public'], manual: [] }

/** Has GoToSocial's current names and, for older clients, the former ones. */
const presentRule = ({ automatic, manual }: InteractionRule = OPEN) => ({
  automatic_approval: automatic,
  manual_approval: manual,
  always: automatic,
  with_approval: manual,
})

const presentInteractionPolicy = (policy: InteractionPolicy) => ({
  can_favourite: presentRule(policy.like),
  can_reply: presentRule(policy.reply),
  can_reblog: presentRule(policy.announce),
})
