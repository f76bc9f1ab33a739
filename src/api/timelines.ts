import { getOwnList } from '../domain/lists/lists.ts'
import { homePage, readDirect, refreshHome } from '../domain/timelines/home.ts'
import { publicPage, readLink, tagPage } from '../domain/timelines/public.ts'
import { readList } from '../domain/timelines/list.ts'
import { presentSelected, presentStatusList } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { jsonArray } from '../lib/json.ts'
import Type from 'typebox'

export const getHomeTimeline = route({
  summary: 'Statuses and boosts of followed accounts; 206 and an empty list while the feed is rebuilt',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Status),
  also: [206],
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = homePage(call.viewer.accountId, page)
    const read = () => presentSelected(call.ctx, call.viewer, selection, { atHome: true })
    let { ids, statuses } = await read()
    const state = ids.length === 0 ? await refreshHome(call.ctx, call.viewer.accountId) : 'ready'
    if (state === 'building') {
      void call.reply.status(206)
      return []
    }
    if (state === 'renewed') ({ ids, statuses } = await read())
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
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

export const getPublicTimeline = route({
  summary: 'Public statuses, of all servers, of this server, or of other servers',
  auth: 'public',
  scope: 'read:statuses',
  params: {
    local: Type.Optional(Type.Boolean()),
    remote: Type.Optional(Type.Boolean()),
    only_media: Type.Optional(Type.Boolean()),
    ...pageParams,
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = await publicPage(call.ctx, call.viewer, page, call.params)
    const { ids, statuses } = await presentSelected(call.ctx, call.viewer, selection)
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
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
    local: Type.Optional(Type.Boolean()),
    remote: Type.Optional(Type.Boolean()),
    only_media: Type.Optional(Type.Boolean()),
    ...pageParams,
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = await tagPage(call.ctx, call.viewer, call.params.hashtag, page, call.params)
    if (!selection) return []
    const { ids, statuses } = await presentSelected(call.ctx, call.viewer, selection)
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
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
