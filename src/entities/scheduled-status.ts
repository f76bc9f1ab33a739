import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { ScheduledRow } from '../domain/statuses/scheduled.ts'
import { type JsonText, toJson } from '../lib/json.ts'
import { MediaAttachment, mediaColumns, type MediaRow, presentMedia } from './media-attachment.ts'
import { DateTime, Id, nullable } from './schema.ts'

const Params = Type.Object({
  text: Type.String(),
  poll: nullable(
    Type.Object({
      options: Type.Array(Type.String()),
      expires_in: Type.Integer(),
      multiple: Type.Boolean(),
      hide_totals: Type.Boolean(),
    }),
  ),
  media_ids: nullable(Type.Array(Id)),
  sensitive: nullable(Type.Boolean()),
  spoiler_text: nullable(Type.String()),
  visibility: Type.String(),
  in_reply_to_id: nullable(Type.Integer()),
  language: nullable(Type.String()),
  application_id: nullable(Type.Integer()),
  scheduled_at: Type.Null(),
  idempotency: nullable(Type.String()),
  with_rate_limit: Type.Boolean(),
  quoted_status_id: nullable(Id),
  quote_approval_policy: nullable(Type.String()),
  allowed_mentions: nullable(Type.Array(Id)),
})

/** https://docs.joinmastodon.org/entities/ScheduledStatus/ */
export const ScheduledStatus = Type.Object(
  { id: Id, scheduled_at: DateTime, params: Params, media_attachments: Type.Array(MediaAttachment) },
  { $id: 'ScheduledStatus' },
)
export type ScheduledStatus = Static<typeof ScheduledStatus>

export async function presentScheduled(
  ctx: Context,
  rows: readonly ScheduledRow[],
): Promise<JsonText<ScheduledStatus>[]> {
  const mediaIds = rows.flatMap(({ params }) => params.media_ids ?? [])
  const media =
    mediaIds.length === 0
      ? []
      : await ctx.db.many<MediaRow>(
          sql`select ${mediaColumns} from media_attachments where id = any(${mediaIds}::bigint[])`,
        )
  const byId = new Map(media.map((attachment) => [attachment.id, attachment]))
  return rows.map((row) =>
    toJson({
      id: row.id,
      scheduled_at: row.scheduled_at.toISOString(),
      params: paramsOf(row),
      media_attachments: (row.params.media_ids ?? []).flatMap((id) => {
        const attachment = byId.get(id)
        return attachment ? [presentMedia(ctx, attachment)] : []
      }),
    } as unknown as ScheduledStatus),
  )
}

/** The API has numbers in place of these ids. They may be too large for a JavaScript number. */
const asNumber = (id: string | null | undefined): unknown =>
  id === null || id === undefined ? null : (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(id)

function paramsOf({ params, app_id: appId }: ScheduledRow): Record<string, unknown> {
  const { poll } = params
  return {
    text: params.text,
    poll: poll
      ? {
          options: poll.options ?? [],
          expires_in: poll.expires_in,
          multiple: poll.multiple ?? false,
          hide_totals: poll.hide_totals ?? false,
        }
      : null,
    media_ids: params.media_ids ?? null,
    sensitive: params.sensitive ?? null,
    spoiler_text: params.spoiler_text ?? null,
    visibility: params.visibility ?? params.defaults?.visibility,
    in_reply_to_id: asNumber(params.in_reply_to_id),
    language: params.language ?? null,
    application_id: asNumber(appId),
    scheduled_at: null,
    idempotency: params.idempotency,
    with_rate_limit: false,
    quoted_status_id: params.quoted_status_id ?? null,
    quote_approval_policy: params.quote_approval_policy ?? null,
    allowed_mentions: params.allowed_mentions ?? null,
  }
}
