// GET /api/v2/notifications, /api/v2/notifications/unread_count
import Type from 'typebox'
import { countUnreadGroups, listGroups } from '../../domain/notifications/groups.ts'
import { GROUPED_TYPES } from '../../domain/notifications/types.ts'
import { GroupedNotificationsResults, presentGroups } from '../../entities/notification-group.ts'
import { limitOf, limitParam, pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { BadRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { compareIds } from '../../lib/ids.ts'
import { CountResponse, filterParams, groupedParam, includeFilteredParam, supportedParam } from './params.ts'

const EXPANSIONS = ['full', 'partial_avatars']

export const groupedNotifications = route({
  summary: 'What others did that concerns the person, like things together, newest first',
  scope: 'read:notifications',
  params: {
    ...filterParams,
    ...includeFilteredParam,
    ...groupedParam,
    ...supportedParam,
    ...pageParams,
    /** `full` or `partial_avatars`. */
    expand_accounts: Type.Optional(Type.String({ minLength: 1 })),
  },
  returns: GroupedNotificationsResults,
  async handle(call) {
    const { ctx, viewer, params } = call
    const { expand_accounts: expansion = 'full' } = params
    if (!EXPANSIONS.includes(expansion)) throw new BadRequest(message('expand_accounts', { allowed: EXPANSIONS }))
    const page = pageOf(params, 40)
    const rows = await listGroups(ctx, viewer, page, params, params.grouped_types ?? GROUPED_TYPES)
    // Groups overlap: the page reaches from the newest to the oldest of all their members in it.
    const ids = rows
      .flatMap(({ page_min_id, page_max_id }) => [page_min_id, page_max_id])
      .toSorted((a, b) => compareIds(b, a))
    setLinks(call, { ids, page, nextAlways: true })
    return presentGroups(ctx, viewer, rows, {
      partial: expansion === 'partial_avatars',
      supported: params.supported_types,
    })
  },
})

export const unreadGroupCount = route({
  summary: 'How many groups have something newer than the marker',
  scope: 'read:notifications',
  params: { ...filterParams, ...groupedParam, ...limitParam },
  returns: CountResponse,
  handle: async ({ ctx, viewer, params }) => ({
    count: await countUnreadGroups(
      ctx,
      viewer,
      limitOf(params, 100, 1000),
      params,
      params.grouped_types ?? GROUPED_TYPES,
    ),
  }),
})
