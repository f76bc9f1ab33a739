// GET /api/v2/notifications/:group_key, /api/v2/notifications/:group_key/accounts, POST /api/v2/notifications/:group_key/dismiss
import Type from 'typebox'
import { dismissGroup, getGroup, listGroupAccounts } from '../../domain/notifications/groups.ts'
import { Account } from '../../entities/account.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { GroupedNotificationsResults, presentGroups } from '../../entities/notification-group.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { supportedParam } from './params.ts'

export const getNotificationGroup = route({
  summary: 'One group of notifications',
  scope: 'read:notifications',
  params: { group_key: Type.String(), ...supportedParam },
  returns: GroupedNotificationsResults,
  async handle({ ctx, viewer, params }) {
    const group = await getGroup(ctx, viewer, params.group_key)
    return presentGroups(ctx, viewer, [group], { supported: params.supported_types })
  },
})

export const groupAccounts = route({
  summary: 'Everybody who caused a group of notifications',
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
