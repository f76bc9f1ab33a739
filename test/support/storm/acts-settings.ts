// Changes that people make for themselves: of lists, hashtags, filters, notifications.
import { deleteOldStatusesOfUsers } from '../acts.ts'
import { sql } from '../database.ts'
import { type CleanupPolicy, saveCleanupPolicy } from '../internals.ts'
import { TAGS } from './acts-posts.ts'
import type { Act, Acts, Draw, Given } from './plan.ts'
import type { World } from './world.ts'

/** On a list or the like that its owner made before. */
export const onThing =
  (kind: string) =>
  (
    weight: number,
    drawMore: (draw: Draw, by: string) => Given,
    run: (world: World, by: string, id: string, given: Given) => Promise<unknown>,
  ): Act => ({
    weight,
    draw: (draw, by) => {
      const thing = draw.thing(kind, by)
      return thing === null ? null : { thing, ...drawMore(draw, by) }
    },
    run: async (world, by, given) => {
      const id = world.things.get(given['thing'])
      if (id !== undefined) await run(world, by, id, given)
    },
  })

const onList = onThing('list')
const onFilter = onThing('filter')

const filterOptions = (draw: Draw): Given => ({
  context: ['home', 'public', 'notifications'],
  filter_action: draw.one(['warn', 'hide', 'blur']),
  ...(draw.chance(0.3) ? { expires_in: 86_400 } : {}),
})

const onTag = (name: string, weight: number): Acts => ({
  [`${name}Tag`]: {
    weight,
    draw: (draw) => ({ tag: draw.one(TAGS) }),
    run: (world, by, { tag }) => world.send(by, 'POST', `/api/v1/tags/${tag}/${name}`),
  },
})

const listOptions = (draw: Draw): Given => ({
  title: 'some',
  replies_policy: draw.one(['followed', 'list', 'none']),
  exclusive: draw.chance(0.3),
})

const DECISIONS = ['accept', 'filter', 'drop'] as const
const SOURCES = ['for_not_following', 'for_not_followers', 'for_private_mentions', 'for_limited_accounts']

async function onRequest(world: World, by: string, name: string): Promise<void> {
  const { json } = await world.send(by, 'GET', '/api/v1/notifications/requests')
  if (json?.[0]) await world.send(by, 'POST', `/api/v1/notifications/requests/${json[0].id}/${name}`)
}

export const settingActs: Acts = {
  createList: {
    weight: 2,
    draw: (draw, by) => ({ label: draw.newThing('list', by), options: listOptions(draw) }),
    async run(world, by, { label, options }) {
      const { status, json } = await world.send(by, 'POST', '/api/v1/lists', options)
      if (status === 200) world.things.set(label, json.id)
    },
  },
  changeList: onList(
    2,
    (draw) => ({ options: listOptions(draw) }),
    (world, by, id, { options }) => world.send(by, 'PUT', `/api/v1/lists/${id}`, options),
  ),
  addToList: onList(
    6,
    (draw, by) => ({ target: draw.other(by) }),
    (world, by, id, { target }) =>
      world.send(by, 'POST', `/api/v1/lists/${id}/accounts`, { account_ids: [world.accountId(by, target)] }),
  ),
  removeFromList: onList(
    2,
    (draw, by) => ({ target: draw.other(by) }),
    (world, by, id, { target }) =>
      world.send(by, 'DELETE', `/api/v1/lists/${id}/accounts`, { account_ids: [world.accountId(by, target)] }),
  ),
  deleteList: onList(
    1,
    () => ({}),
    (world, by, id) => world.send(by, 'DELETE', `/api/v1/lists/${id}`),
  ),
  ...onTag('follow', 4),
  ...onTag('unfollow', 2),
  ...onTag('feature', 2),
  ...onTag('unfeature', 1),
  filter: {
    weight: 1,
    draw: (draw, by) => ({ label: draw.newThing('filter', by), ...filterOptions(draw), tag: draw.one(TAGS) }),
    async run(world, by, { label, tag, ...options }) {
      const body = { title: tag, ...options, keywords_attributes: [{ keyword: tag }] }
      const { status, json } = await world.send(by, 'POST', '/api/v2/filters', body)
      if (status === 200) world.things.set(label, json.id)
    },
  },
  changeFilter: onFilter(
    1,
    (draw) => filterOptions(draw),
    (world, by, id, { thing: _thing, ...options }) => world.send(by, 'PUT', `/api/v2/filters/${id}`, options),
  ),
  filterStatus: onFilter(
    1,
    (draw) => ({ target: draw.post() }),
    async (world, by, id, { target }) => {
      const status_id = target && (await world.statusId(by, target))
      if (status_id) await world.send(by, 'POST', `/api/v2/filters/${id}/statuses`, { status_id })
    },
  ),
  deleteFilter: onFilter(
    0.5,
    () => ({}),
    (world, by, id) => world.send(by, 'DELETE', `/api/v2/filters/${id}`),
  ),
  expireFilters: {
    weight: 0.5,
    draw: () => ({}),
    run: (world, by) =>
      world
        .serverOf(by)
        .database.raw(
          `update filters set expires_at = now() - interval '1 second' where expires_at is not null and account_id = $1`,
          [world.person(by).id],
        ),
  },
  /** All posts are old enough, as the clean-up runs in a year. */
  deleteOld: {
    weight: 0.3,
    draw: (draw) => ({
      keep_pinned: draw.chance(0.5),
      keep_direct: draw.chance(0.5),
      keep_polls: draw.chance(0.5),
      keep_media: draw.chance(0.5),
      keep_self_fav: draw.chance(0.5),
      min_favs: draw.chance(0.5) ? 1 : null,
    }),
    async run(world, by, policy) {
      const { ctx } = world.serverOf(by)
      const { id } = world.person(by)
      const all = { enabled: true, min_status_age: 7, keep_self_bookmark: false, min_reblogs: null, ...policy }
      await saveCleanupPolicy(ctx, id, all as CleanupPolicy)
      await deleteOldStatusesOfUsers(ctx, new Date(Date.now() + 366 * 86_400_000))
      await saveCleanupPolicy(ctx, id, { ...all, enabled: false } as CleanupPolicy)
      const left = await ctx.db.many<{ id: string }>(sql`select id from statuses where account_id = ${id}`)
      const ids = new Set(left.map((row) => row.id))
      for (const post of world.posts.values()) if (post.author === by && !ids.has(post.id)) post.deleted = true
    },
  },
  notificationPolicy: {
    weight: 3,
    draw: (draw) => ({ [draw.one(SOURCES)]: draw.one(DECISIONS) }),
    run: (world, by, json) => world.send(by, 'PATCH', '/api/v2/notifications/policy', json),
  },
  clearNotifications: {
    weight: 0.5,
    draw: () => ({}),
    run: (world, by) => world.send(by, 'POST', '/api/v1/notifications/clear'),
  },
  dismissGroup: {
    weight: 2,
    draw: () => ({}),
    async run(world, by) {
      const { json } = await world.send(by, 'GET', '/api/v2/notifications')
      const key = json?.notification_groups?.[0]?.group_key
      if (key) await world.send(by, 'POST', `/api/v2/notifications/${key}/dismiss`)
    },
  },
  acceptRequest: { weight: 2, draw: () => ({}), run: (world, by) => onRequest(world, by, 'accept') },
  dismissRequest: { weight: 1, draw: () => ({}), run: (world, by) => onRequest(world, by, 'dismiss') },
  dismissNotification: {
    weight: 3,
    draw: () => ({}),
    async run(world, by) {
      const { json } = await world.send(by, 'GET', '/api/v1/notifications')
      if (json?.[0]) await world.send(by, 'POST', `/api/v1/notifications/${json[0].id}/dismiss`)
    },
  },
  marker: {
    weight: 2,
    draw: (draw) => ({ timeline: draw.one(['home', 'notifications']) }),
    async run(world, by, { timeline }) {
      const path = timeline === 'home' ? '/api/v1/timelines/home' : '/api/v1/notifications'
      const { json } = await world.send(by, 'GET', path)
      if (json?.[0]) await world.send(by, 'POST', '/api/v1/markers', { [timeline]: { last_read_id: json[0].id } })
    },
  },
  readHome: {
    weight: 4,
    draw: () => ({}),
    run: (world, by) => world.send(by, 'GET', '/api/v1/timelines/home'),
  },
  readConversation: {
    weight: 2,
    draw: (draw) => ({ act: draw.one(['read', 'unread', 'delete']) }),
    async run(world, by, { act }) {
      const { json } = await world.send(by, 'GET', '/api/v1/conversations')
      if (!json?.[0]) return
      const path = `/api/v1/conversations/${json[0].id}`
      await (act === 'delete' ? world.send(by, 'DELETE', path) : world.send(by, 'POST', `${path}/${act}`))
    },
  },
}
