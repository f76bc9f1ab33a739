import { CountResponse, filterParams, groupedParam, includeFilteredParam, supportedParam } from './list.ts'
import {
  countUnreadGroups,
  dismissGroup,
  getGroup,
  listGroupAccounts,
  listGroups,
  type GroupQuery,
} from '../../domain/notifications/groups.ts'
import type { NotificationFilter, Recipient } from '../../domain/notifications/list.ts'
import { GROUPED_TYPES } from '../../domain/notifications/types.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { GroupedNotificationsResults, presentGroups } from '../../entities/notification-group.ts'
import { Empty } from '../../entities/schema.ts'
import { limitOf, limitParam, pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { BadRequest } from '../../lib/errors.ts'
import { compareIds } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

const EXPANSIONS = ['full', 'partial_avatars']

const queryOf = (me: Recipient, params: NotificationFilter & { grouped_types?: string[] }): GroupQuery => ({
  me,
  filter: params,
  groupedTypes: params.grouped_types ?? GROUPED_TYPES,
})

/**
 * Whether the client is on the network library of Apple or of Dart. Mastodon sends `most_recent_notification_id` as a number,
 * although its documentation says text. Its app for iOS, Ice Cubes and Glacial, which is written in Dart, decode only a number,
 * and refuse the whole answer otherwise.
 */
const wantsNumberedIds = ({ headers }: FastifyRequest): boolean =>
  /\b(CFNetwork|Dart)\//.test(headers['user-agent'] ?? '')

export const getGroupedNotifications = route({
  summary: 'Notifications in groups, newest first',
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
    const { ctx, viewer, params, request } = call
    const { expand_accounts: expansion = 'full' } = params
    if (!EXPANSIONS.includes(expansion)) throw new BadRequest(message('expand_accounts', { allowed: EXPANSIONS }))
    const page = pageOf(params, 40)
    const rows = await listGroups(ctx, queryOf(viewer, params), page)
    // Groups overlap: the page ranges from the newest to the oldest notification of all its groups.
    const ids = rows
      .flatMap(({ page_min_id, page_max_id }) => [page_min_id, page_max_id])
      .toSorted((a, b) => compareIds(b, a))
    setLinks(call, { ids, page, nextAlways: true })
    return presentGroups(ctx, viewer, rows, {
      partial: expansion === 'partial_avatars',
      supported: params.supported_types,
      numberedIds: wantsNumberedIds(request),
    })
  },
})

export const getUnreadGroupCount = route({
  summary: 'The number of groups with notifications newer than the marker',
  scope: 'read:notifications',
  params: { ...filterParams, ...groupedParam, ...limitParam },
  returns: CountResponse,
  handle: async ({ ctx, viewer, params }) => ({
    count: await countUnreadGroups(ctx, queryOf(viewer, params), limitOf(params, 100, 1000)),
  }),
})

export const getNotificationGroup = route({
  summary: 'One group of notifications',
  scope: 'read:notifications',
  params: { group_key: Type.String(), ...supportedParam },
  returns: GroupedNotificationsResults,
  async handle({ ctx, viewer, params, request }) {
    const group = await getGroup(ctx, viewer, params.group_key)
    return presentGroups(ctx, viewer, [group], {
      supported: params.supported_types,
      numberedIds: wantsNumberedIds(request),
    })
  },
})

export const getGroupAccounts = route({
  summary: 'The accounts that caused a group of notifications',
  scope: 'read:notifications',
  params: { group_key: Type.String(), ...pageParams },
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listGroupAccounts(ctx, viewer, params.group_key, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentAccountList(
      ctx,
      rows.map((row) => row.from_account_id),
    )
  },
})

export const dismissNotificationGroup = route({
  summary: 'Delete a group of notifications',
  scope: 'write:notifications',
  params: { group_key: Type.String() },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissGroup(ctx, viewer.accountId, params.group_key)
    return {}
  },
})
