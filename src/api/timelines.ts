// GET /api/v1/timelines/home: what the followed post and boost. 206 and nothing while the feed is being put together.
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

export const homeTimeline = route({
  summary: 'Posts and boosts of the accounts that are followed',
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

// GET /api/v1/timelines/list/:list_id: what the people in a list post.

export const listTimeline = route({
  summary: 'Posts and boosts of the people in a list',
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

// GET /api/v1/timelines/public: what everybody posts, here and elsewhere.

export const publicTimeline = route({
  summary: 'Public posts of everybody, or of this server, or of others only',
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

// GET /api/v1/timelines/tag/:hashtag: public posts with a hashtag.

const names = Type.Optional(Type.Array(Type.String()))

export const tagTimeline = route({
  summary: 'Public posts with a hashtag; with any, with all, with none of further ones',
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

// GET /api/v1/timelines/link: public posts that link to something.

export const linkTimeline = route({
  summary: 'Public posts that link to an address, by people who want to be discovered',
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

// GET /api/v1/timelines/direct: direct posts, one by one, as clients read them before there were conversations.

export const directTimeline = route({
  summary: 'Direct posts, written and received',
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
