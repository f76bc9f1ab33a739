// Acts of the staff of a server. Each kind of act is rare, and soon undone.
import { actOnAccount, cleanUp, createAnnouncement, deleteAnnouncement, unpublishAnnouncement } from '../acts.ts'
import { domainFor } from './acts-people.ts'
import { AppError } from '../internals.ts'
import type { Act, Acts, Draw, Given } from './plan.ts'
import { placeOf, type World } from './world.ts'

/** By the staff of the server of `by`, on an account of either server. */
const someone = (draw: Draw, by: string): Given => ({ place: placeOf(by), target: draw.other(by) })

const action = (type: string, weight: number): Acts => ({
  [type]: {
    weight,
    draw: someone,
    run: (world, _by, { place, target }) =>
      world.send(place, 'POST', `/api/v1/admin/accounts/${world.accountId(place, target)}/action`, { type }),
  },
})

const lifting = (name: string, weight: number): Acts => ({
  [name]: {
    weight,
    draw: someone,
    run: (world, _by, { place, target }) =>
      world.send(place, 'POST', `/api/v1/admin/accounts/${world.accountId(place, target)}/${name}`),
  },
})

/** On one of the announcements that people of the server see. */
const onAnnouncement = (
  weight: number,
  act: (world: World, by: string, id: string, given: Given) => Promise<unknown>,
): Act => ({
  weight,
  draw: (draw) => ({ emoji: draw.one(['👍', '🌧️', '❄️']) }),
  async run(world, by, given) {
    const { json } = await world.send(by, 'GET', '/api/v1/announcements?with_dismissed=true')
    if (json?.[0]) await act(world, by, json[0].id, given)
  },
})

const reaction = (method: 'PUT' | 'DELETE', weight: number): Act =>
  onAnnouncement(weight, (world, by, id, { emoji }) =>
    world.send(by, method, `/api/v1/announcements/${id}/reactions/${encodeURIComponent(emoji)}`),
  )

const announcementActs: Acts = {
  announce: {
    weight: 0.5,
    draw: (draw) => ({ text: `Rain at ${draw.below(24)}` }),
    async run(world, by, { text }) {
      const place = placeOf(by)
      const form = { text, startsAt: null, endsAt: null, allDay: false, mailsUsers: false, scheduledAt: null }
      await createAnnouncement(world.network[place].ctx, world.staff[place].id, { ...form, when: 'now' })
    },
  },
  endAnnouncement: onAnnouncement(0.3, async (world, by, id, { emoji }) => {
    const place = placeOf(by)
    const end = emoji === '👍' ? unpublishAnnouncement : deleteAnnouncement
    await end(world.network[place].ctx, world.staff[place].id, id).catch(refused)
  }),
  dismissAnnouncement: onAnnouncement(0.5, (world, by, id) =>
    world.send(by, 'POST', `/api/v1/announcements/${id}/dismiss`),
  ),
  react: reaction('PUT', 2),
  unreact: reaction('DELETE', 1),
}

/** Another may have been faster. */
function refused(error: unknown): void {
  if (!(error instanceof AppError) || error.status >= 500) throw error
}

const reportActs: Acts = {
  report: {
    weight: 1,
    draw: (draw, by) => ({ target: draw.other(by), post: draw.post(), forward: draw.chance(0.5) }),
    async run(world, by, { target, post, forward }) {
      const id = post && world.posts.get(post)?.author === target ? await world.statusId(by, post) : null
      const body = { account_id: world.accountId(by, target), status_ids: id === null ? [] : [id], forward }
      await world.send(by, 'POST', '/api/v1/reports', body)
    },
  },
  answerReport: {
    weight: 1,
    draw: (draw, by) => ({
      place: placeOf(by),
      answers: draw.one([['resolve'], ['assign_to_self', 'resolve'], ['unassign'], ['reopen']]),
    }),
    async run(world, _by, { place, answers }) {
      const { json } = await world.send(place, 'GET', '/api/v1/admin/reports')
      if (!json?.[0]) return
      for (const answer of answers) await world.send(place, 'POST', `/api/v1/admin/reports/${json[0].id}/${answer}`)
    },
  },
}

export const staffActs: Acts = {
  ...announcementActs,
  ...reportActs,
  suspendDomain: {
    weight: 0.1,
    draw: (_draw, by) => ({ place: placeOf(by), severity: 'suspend' }),
    run: (world, by, { place, severity }) =>
      world.send(place, 'POST', '/api/v1/admin/domain_blocks', { domain: domainFor(world, by), severity }),
  },
  limitDomain: {
    weight: 0.3,
    draw: (_draw, by) => ({ place: placeOf(by), severity: 'silence' }),
    run: (world, by, { place, severity }) =>
      world.send(place, 'POST', '/api/v1/admin/domain_blocks', { domain: domainFor(world, by), severity }),
  },
  unlimitDomain: {
    weight: 1,
    draw: (_draw, by) => ({ place: placeOf(by) }),
    async run(world, _by, { place }) {
      const { json } = await world.send(place, 'GET', '/api/v1/admin/domain_blocks')
      if (json?.[0]) await world.send(place, 'DELETE', `/api/v1/admin/domain_blocks/${json[0].id}`)
    },
  },
  failure: {
    weight: 0.8,
    draw: (draw) => ({ failure: draw.one(['partition', 'lost answers', 'some']) }),
    run: async (world, _by, { failure }) => void (world.failure = failure),
  },
  rejoin: { weight: 1.5, draw: () => ({}), run: async (world) => world.failure !== null && (await world.rejoin()) },
  cleanUp: { weight: 0.4, draw: () => ({}), run: (world, by) => cleanUp(world.serverOf(by).ctx) },
  moderatePost: {
    weight: 1,
    draw: (draw) => {
      const target = draw.post()
      return target === null ? null : { target, type: draw.one(['delete_statuses', 'mark_statuses_as_sensitive']) }
    },
    async run(world, _by, { target, type }) {
      const post = world.posts.get(target)
      if (!post || post.deleted) return
      const place = placeOf(post.author)
      const accountId = world.person(post.author).id
      const { ctx } = world.network[place]
      await actOnAccount(ctx, world.staff[place].id, { accountId, type, statusIds: [post.id] })
      if (type === 'delete_statuses') post.deleted = true
    },
  },
  ...action('silence', 0.5),
  ...action('sensitive', 0.3),
  ...action('suspend', 0.3),
  ...action('disable', 0.3),
  purge: {
    weight: 0.1,
    draw: someone,
    run: (world, _by, { place, target }) =>
      world.send(place, 'DELETE', `/api/v1/admin/accounts/${world.accountId(place, target)}`),
  },
  ...lifting('unsilence', 1),
  ...lifting('unsuspend', 1),
  ...lifting('enable', 1),
  ...lifting('unsensitive', 0.5),
}
