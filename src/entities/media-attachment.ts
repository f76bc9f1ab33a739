import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { MediaAttachments } from '../db/schema.ts'
import { sql, type Sql } from '../db/sql.ts'
import { type ProxiedSize, proxyUrl } from '../domain/media/remote.ts'
import { Id, nullable } from './schema.ts'

const Details = Type.Object({
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  size: Type.Optional(Type.String()),
  aspect: Type.Optional(Type.Number()),
  frame_rate: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Number()),
  bitrate: Type.Optional(Type.Integer()),
})

/** https://docs.joinmastodon.org/entities/MediaAttachment/ */
export const MediaAttachment = Type.Object(
  {
    id: Id,
    type: Type.Union([
      Type.Literal('image'),
      Type.Literal('gifv'),
      Type.Literal('video'),
      Type.Literal('audio'),
      Type.Literal('unknown'),
    ]),
    url: nullable(Type.String()),
    preview_url: nullable(Type.String()),
    remote_url: nullable(Type.String()),
    preview_remote_url: Type.Optional(nullable(Type.String())),
    meta: nullable(
      Type.Object({
        focus: Type.Optional(nullable(Type.Object({ x: nullable(Type.Number()), y: nullable(Type.Number()) }))),
        original: Type.Optional(Details),
        small: Type.Optional(Details),
        colors: Type.Optional(
          Type.Object({ background: Type.String(), foreground: Type.String(), accent: Type.String() }),
        ),
        length: Type.Optional(Type.String()),
        duration: Type.Optional(Type.Number()),
        fps: Type.Optional(Type.Integer()),
        size: Type.Optional(Type.String()),
        width: Type.Optional(Type.Integer()),
        height: Type.Optional(Type.Integer()),
        aspect: Type.Optional(Type.Number()),
        audio_encode: Type.Optional(Type.String()),
        audio_bitrate: Type.Optional(Type.String()),
        audio_channels: Type.Optional(Type.String()),
      }),
    ),
    description: nullable(Type.String()),
    blurhash: nullable(Type.String()),
  },
  { $id: 'MediaAttachment' },
)
export type MediaAttachment = Static<typeof MediaAttachment>

type MediaColumns =
  | 'id'
  | 'type'
  | 'file_key'
  | 'preview_key'
  | 'remote_url'
  | 'preview_remote_url'
  | 'description'
  | 'blurhash'
export type MediaRow = Pick<MediaAttachments, MediaColumns> & { meta: MediaAttachment['meta'] }

export const mediaColumns: Sql = sql`id, type, file_key, preview_key, remote_url, preview_remote_url, description, blurhash, meta`

/** Files that are not cached get an address of /media_proxy, which fetches them on request. */
export function presentMedia(ctx: Context, row: MediaRow): MediaAttachment {
  const proxied = (size: ProxiedSize): string | null => (row.remote_url === null ? null : proxyUrl(ctx, row.id, size))
  // A file of unknown type keeps its remote URL: the proxy serves media only.
  const uncached = row.type === 'unknown' ? row.remote_url : proxied('original')
  const uncachedPreview = row.type === 'image' || row.preview_remote_url !== null ? proxied('small') : null
  return {
    id: row.id,
    type: row.type,
    url: row.file_key === null ? uncached : ctx.files.url(row.file_key),
    preview_url: row.preview_key === null ? uncachedPreview : ctx.files.url(row.preview_key),
    remote_url: row.remote_url,
    preview_remote_url: row.preview_remote_url,
    meta: row.meta,
    description: row.description,
    blurhash: row.blurhash,
  }
}
