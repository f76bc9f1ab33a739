import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { getAccount } from '../domain/accounts/find.ts'
import { Field } from './account.ts'
import { Id, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Profile/ */
export const Profile = Type.Object(
  {
    id: Id,
    display_name: Type.String(),
    note: Type.String(),
    fields: Type.Array(Field),
    avatar: nullable(Type.String()),
    avatar_static: nullable(Type.String()),
    avatar_description: Type.String(),
    header: nullable(Type.String()),
    header_static: nullable(Type.String()),
    header_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    hide_collections: nullable(Type.Boolean()),
    discoverable: nullable(Type.Boolean()),
    indexable: Type.Boolean(),
    show_media: Type.Boolean(),
    show_media_replies: Type.Boolean(),
    show_featured: Type.Boolean(),
    attribution_domains: Type.Array(Type.String()),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

/** Presents a profile to its owner, for editing: texts as typed, pictures only where there are some. Throws NotFound. */
export async function presentProfile(ctx: Context, accountId: string): Promise<Profile> {
  const row = await getAccount(ctx, accountId)
  const picture = (key: string | null): string | null => (key === null ? null : ctx.files.url(key))
  return {
    id: row.id,
    display_name: row.display_name,
    note: row.note_text,
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    avatar: picture(row.avatar_key),
    avatar_static: picture(row.avatar_static_key ?? row.avatar_key),
    avatar_description: row.avatar_description,
    header: picture(row.header_key),
    header_static: picture(row.header_static_key ?? row.header_key),
    header_description: row.header_description,
    locked: row.locked,
    bot: row.actor_type === 'Service' || row.actor_type === 'Application',
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
  }
}
