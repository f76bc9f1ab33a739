import type { Context } from '../../context.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { Unauthorized } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { may, type Viewer } from '../auth/viewer.ts'
import { getSettings, type Access } from '../server/settings.ts'

/** `live`: the public timelines. `topic`: those of hashtags. */
export type FeedKind = 'live' | 'topic'

/** What is wanted: only posts of this server, only posts of others; neither or both mean all. */
export type Origin = { local?: boolean; remote?: boolean }

/**
 * The condition on a status `s` that leaves what the viewer may see of a public feed, as administrators set it; null when
 * nothing is left. Throws Unauthorized where it takes a person and there is none.
 */
export async function originCondition(
  ctx: Context,
  viewer: Viewer | null,
  kind: FeedKind,
  origin: Origin,
): Promise<Sql | null> {
  const settings = await getSettings(ctx)
  const access = {
    local: kind === 'live' ? settings.local_live_feed_access : settings.local_topic_feed_access,
    remote: kind === 'live' ? settings.remote_live_feed_access : settings.remote_topic_feed_access,
  }
  const everything = Boolean(origin.local) === Boolean(origin.remote)
  const wanted = (half: 'local' | 'remote'): boolean => everything || Boolean(origin[half])
  const local = wanted('local') && isOpen(access.local, viewer)
  const remote = wanted('remote') && isOpen(access.remote, viewer)
  if (local && remote) return sql`true`
  if (local) return sql`s.local`
  return remote ? sql`not s.local` : null
}

function isOpen(access: Access, viewer: Viewer | null): boolean {
  if (access === 'public') return true
  if (access === 'disabled') return may(viewer, 'view_feeds')
  if (!viewer) throw new Unauthorized(message('method_requires_user'))
  return true
}

/** The condition on a status `s` for timelines of pictures, films and sounds. */
export const onlyMedia = (wanted: boolean | undefined): Sql => (wanted ? sql`and s.media_ids <> '{}'` : nothing)
