// The posts that go out by mail: new public ones without boosts and replies to others.
import type { Context } from '../../context.ts'
import type { MediaAttachments, Statuses } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { MailedPost } from '../../messages/mailed-posts.ts'
import { excerpt } from '../notifications/texts.ts'
import { statusUrl } from '../server/addresses.ts'
import { isNoReplyToOthers } from '../statuses/account-statuses.ts'
import { isShownInPublic } from '../statuses/visibility.ts'

/** Posts that a mail contains; it says when there are more. */
const MAX_POSTS = 20
/** Characters of a text, in a post, a description or an option of a poll. */
const MAX_TEXT = 5000
const MAX_SUBJECT = 100

const mailedPosts = (accountId: string, sinceId: string): Sql => sql`
  from statuses s join accounts a on a.id = s.account_id left join polls p on p.id = s.poll_id
  where s.account_id = ${accountId} and s.id > ${sinceId} and ${isShownInPublic} and s.reblog_of_id is null and ${isNoReplyToOthers}`

export async function findNewestPost(ctx: Context, accountId: string, sinceId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Statuses, 'id'>>(
    sql`select s.id ${mailedPosts(accountId, sinceId)} order by s.id desc limit 1`,
  )
  return row?.id ?? null
}

type Row = Pick<Statuses, 'id' | 'spoiler_text' | 'content' | 'sensitive'> & {
  media: Pick<MediaAttachments, 'type' | 'description'>[]
  options: string[]
}

/** `subject`: what the newest one says, on one line; its content warning, if it has one. */
export type NewPosts = { posts: MailedPost[]; hasMore: boolean; subject: string }

/**
 * As they are now, the oldest first. Behind a content warning, and of media that are marked as sensitive, a mail shows nothing.
 * Null when there are none.
 */
export async function readNewPosts(
  ctx: Context,
  account: { id: string; username: string },
  { sinceId, untilId }: { sinceId: string; untilId: string },
): Promise<NewPosts | null> {
  const rows = await ctx.db.many<Row>(sql`
    select s.id, s.spoiler_text, s.content, s.sensitive or a.sensitized_at is not null as sensitive, coalesce(p.options, '{}') as options,
      coalesce((
        select json_agg(json_build_object('type', m.type, 'description', m.description) order by array_position(s.media_ids, m.id))
        from media_attachments m where m.id = any(s.media_ids)), '[]') as media
    ${mailedPosts(account.id, sinceId)} and s.id <= ${untilId} order by s.id desc limit ${MAX_POSTS + 1}`)
  const posts = rows.slice(0, MAX_POSTS).map((row) => mailedPost(statusUrl(ctx, account.username, row.id), row))
  const [newest] = posts
  if (!newest) return null
  const subject = excerpt(newest.warning || newest.text, MAX_SUBJECT)
  return { posts: posts.toReversed(), hasMore: rows.length > MAX_POSTS, subject }
}

function mailedPost(link: string, { spoiler_text: warning, content, sensitive, media, options }: Row): MailedPost {
  if (warning !== '') return { link, warning, text: '', media: [], options: [] }
  return {
    link,
    warning,
    text: cut(htmlToText(content)),
    media: media.map(({ type, description }) => ({
      kind: type,
      description: sensitive ? null : excerpt(description ?? '', MAX_TEXT),
    })),
    options: options.map((option) => excerpt(option, MAX_TEXT)),
  }
}

const cut = (text: string): string => ([...text].length > MAX_TEXT ? `${[...text].slice(0, MAX_TEXT).join('')}…` : text)
