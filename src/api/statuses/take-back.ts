import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { findOriginalId, getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import type { Status } from '../../entities/status.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Json } from '../../lib/json.ts'

/**
 * Takes an interaction with a status back, with `undo`, and presents the status. What people did they may undo though they cannot
 * see the status any more: it is undone, and the answer is that the status is not there.
 */
export async function takeBack(
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
