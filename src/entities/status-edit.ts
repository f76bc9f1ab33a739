import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import type { StatusEdits } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import type { Focus } from '../domain/media/attachments.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccount } from './account-presenter.ts'
import type { Account } from './account.ts'
import { emojisIn, loadEmojis, type RemoteEmoji } from './emojis.ts'
import { mediaColumns, type MediaRow, presentMedia } from './media-attachment.ts'
import { presentQuoteOf } from './status-presenter.ts'
import type { Quote, StatusEdit } from './status.ts'

type Revision = Pick<
  StatusEdits,
  'account_id' | 'content' | 'spoiler_text' | 'sensitive' | 'poll_options' | 'created_at'
> & {
  domain: string | null
  media: { id: string; description: string | null; focus: Focus | null }[] | null
  media_ids: string[]
  emojis: RemoteEmoji[]
}

/** The oldest first. The caller has checked that the viewer may see the status. */
export async function presentHistory(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
): Promise<JsonText<Static<typeof StatusEdit>[]>> {
  const [revisions, media, quote] = await Promise.all([
    ctx.db.many<Revision>(sql`
      select e.account_id, a.domain, e.content, e.spoiler_text, e.sensitive, e.media, '{}'::bigint[] as media_ids, e.emojis, e.poll_options, e.created_at, e.id
      from status_edits e join accounts a on a.id = e.account_id where e.status_id = ${statusId}
      union all
      select s.account_id, a.domain, s.content, s.spoiler_text, s.sensitive, null, s.media_ids, s.emojis, (select p.options from polls p where p.id = s.poll_id), coalesce(s.edited_at, s.created_at), null
      from statuses s join accounts a on a.id = s.account_id where s.id = ${statusId}
      order by id nulls last`),
    ctx.db.many<MediaRow>(sql`select ${mediaColumns} from media_attachments where status_id = ${statusId}`),
    presentQuoteOf(ctx, viewer, statusId),
    loadEmojis(ctx),
  ])
  const [first] = revisions
  if (!first) return jsonArray([])
  const account = await presentAccount(ctx, first.account_id)
  const mediaById = new Map(media.map((row) => [row.id, row]))
  return jsonArray(revisions.map((revision) => presentRevision(ctx, revision, { account, mediaById, quote })))
}

/** What all revisions of a status have in common. */
type Shared = { account: JsonText<Account>; mediaById: Map<string, MediaRow>; quote: JsonText<Quote> | null }

function presentRevision(
  ctx: Context,
  revision: Revision,
  { account, mediaById, quote }: Shared,
): JsonText<Static<typeof StatusEdit>> {
  const media = revision.media
    ? revision.media.flatMap((then) => mediaAtRevision(mediaById.get(then.id), then) ?? [])
    : revision.media_ids.flatMap((id) => mediaById.get(id) ?? [])
  return jsonObject<Static<typeof StatusEdit>>({
    content: revision.content,
    spoiler_text: revision.spoiler_text,
    sensitive: revision.sensitive,
    created_at: revision.created_at.toISOString(),
    account,
    media_attachments: media.map((row) => presentMedia(ctx, row)),
    emojis: emojisIn(ctx, revision.emojis, revision.domain, [
      revision.content,
      revision.spoiler_text,
      ...(revision.poll_options ?? []),
    ]),
    poll: revision.poll_options ? { options: revision.poll_options.map((title) => ({ title })) } : undefined,
    quote,
  })
}

function mediaAtRevision(row: MediaRow | undefined, then: NonNullable<Revision['media']>[number]): MediaRow | null {
  if (!row) return null
  const { focus: _, ...meta } = row.meta ?? {}
  return { ...row, description: then.description, meta: then.focus ? { ...meta, focus: then.focus } : meta }
}
