// POST /api/v1/statuses/:id/bookmark and /unbookmark
import { bookmark, unbookmark } from '../../domain/statuses/bookmarks.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { undoAndPresent } from './undo.ts'

export const bookmarkStatus = route({
  summary: 'Put a status aside',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    await bookmark(ctx, viewer.accountId, status.id)
    return presentStatus(ctx, viewer, status.id)
  },
})

export const unbookmarkStatus = route({
  summary: 'Take a bookmark away',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  handle: ({ ctx, viewer, params }) =>
    undoAndPresent(ctx, viewer, params.id, (statusId) => unbookmark(ctx, viewer.accountId, statusId)),
})
