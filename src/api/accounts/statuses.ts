import Type from 'typebox'
import { checkShown } from '../../domain/accounts/account-facts.ts'
import { listAccountStatuses, listPinned } from '../../domain/statuses/account-statuses.ts'
import { Status } from '../../entities/status.ts'
import { presentStatusList } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { compareIds } from '../../lib/ids.ts'

export const getAccountStatuses = route({
  summary: "An account's posts and boosts, newest first",
  auth: 'public',
  scope: 'read:statuses',
  params: {
    id: IdParam,
    ...pageParams,
    only_media: Type.Optional(Type.Boolean()),
    exclude_replies: Type.Optional(Type.Boolean()),
    exclude_reblogs: Type.Optional(Type.Boolean()),
    exclude_direct: Type.Optional(Type.Boolean()),
    pinned: Type.Optional(Type.Boolean()),
    tagged: Type.Optional(Type.String()),
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer, params } = call
    const { id } = params
    await checkShown(ctx, id)
    const page = pageOf(params, 20)
    const filter = {
      accountId: id,
      onlyMedia: params.only_media ?? false,
      excludeReplies: params.exclude_replies ?? false,
      excludeReblogs: params.exclude_reblogs ?? false,
      excludeDirect: params.exclude_direct ?? false,
      ...(params.tagged ? { tagged: params.tagged } : {}),
    }
    if (params.pinned) {
      const pinned = await listPinned(ctx, viewer, filter, page)
      setLinks(call, { ids: pinned.toSorted((a, b) => compareIds(b, a)), page })
      return presentStatusList(ctx, viewer, pinned)
    }
    const ids = await listAccountStatuses(ctx, viewer, filter, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(ctx, viewer, ids)
  },
})
