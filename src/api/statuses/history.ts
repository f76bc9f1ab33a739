// GET /api/v1/statuses/:id/history and /source: what a status was, and how it was typed.
import Type from 'typebox'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentHistory } from '../../entities/status-edit.ts'
import { StatusEdit, StatusSource } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const statusHistory = route({
  summary: 'All revisions of a status, the original first',
  auth: 'public',
  scope: 'read:statuses',
  params: { id: IdParam },
  returns: Type.Array(StatusEdit),
  async handle({ ctx, viewer, params }) {
    const status = await getVisibleStatus(ctx, viewer, params.id)
    return presentHistory(ctx, viewer, status.id)
  },
})

export const statusSource = route({
  summary: 'The text of a status as it was typed',
  auth: 'app',
  scope: 'read:statuses',
  params: { id: IdParam },
  returns: StatusSource,
  async handle({ ctx, viewer, params }) {
    const { id, text, content, local, spoiler_text } = await getVisibleStatus(ctx, viewer, params.id)
    return { id, text: local ? text : content, spoiler_text }
  },
})
