import { getOwnList } from '../domain/lists/lists.ts'
import { readDirect, readHome, refreshHome } from '../domain/timelines/home.ts'
import { readLink, readPublic, readTag } from '../domain/timelines/public.ts'
import { readList } from '../domain/timelines/list.ts'
import { presentStatusList } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import Type from 'typebox'

export const getHomeTimeline = route({
  summary: 'Statuses and boosts of followed accounts; 206 and an empty list while the feed is rebuilt',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Status),
  also: [206],
  async handle(call) {
    const page = pageOf(call.params, 20)
    const { ctx, viewer } = call
    let ids = await readHome(ctx, viewer.accountId, page)
    const state = ids.length === 0 ? await refreshHome(ctx, viewer.accountId) : 'ready'
    if (state === 'building') {
      void call.reply.status(206)
      return []
    }
    if (state === 'renewed') ids = await readHome(ctx, viewer.accountId, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(ctx, viewer, ids, { atHome: true })
  },
})

export const getListTimeline = route({
  summary: 'Statuses and boosts of the members of a list',
  scope: 'read:lists',
  params: { list_id: IdParam, ...pageParams },
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer, params } = call
    const list = await getOwnList(ctx, viewer.accountId, params.list_id)
    const page = pageOf(params, 20)
    const ids = await readList(ctx, list, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(ctx, viewer, ids, { atHome: true })
  },
})

const publicParams = {
  local: Type.Optional(Type.Boolean()),
  remote: Type.Optional(Type.Boolean()),
  only_media: Type.Optional(Type.Boolean()),
  ...pageParams,
}

export const getPublicTimeline = route({
  summary: 'Public statuses, of all servers, of this server, or of other servers',
  auth: 'public',
  scope: 'read:statuses',
  params: publicParams,
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readPublic(call.ctx, call.viewer, page, call.params)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})

const names = Type.Optional(Type.Array(Type.String()))

export const getTagTimeline = route({
  summary: 'Public statuses with a hashtag; with any, all or none of further ones',
  auth: 'public',
  scope: 'read:statuses',
  params: {
    hashtag: Type.String(),
    any: names,
    all: names,
    none: names,
    ...publicParams,
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readTag(call.ctx, call.viewer, page, call.params)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})

export const getLinkTimeline = route({
  summary: 'Public statuses by discoverable accounts that link to a URL',
  auth: 'public',
  scope: 'read:statuses',
  params: { url: Type.String(), ...pageParams },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readLink(call.ctx, call.viewer, call.params.url, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})

export const getDirectTimeline = route({
  summary: 'Direct statuses, sent and received, for old clients',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readDirect(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})
