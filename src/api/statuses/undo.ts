import { findOriginalId } from '../../domain/statuses/find.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import type { Status } from '../../entities/status.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Json } from '../../lib/json.ts'

/**
 * Undoes the viewer's interaction with a status by `undo` and presents the status. Viewers may undo what they did although they
 * cannot see the status any more: the interaction is undone, and the response is 404.
 */
export async function undoAndPresent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  undo: (statusId: string) => Promise<unknown>,
): Promise<Json<Status>> {
  const statusId = await findOriginalId(ctx, id)
  if (statusId === null) throw new NotFound()
  await undo(statusId)
  await getVisibleStatus(ctx, viewer, statusId)
  return presentStatus(ctx, viewer, statusId)
}
