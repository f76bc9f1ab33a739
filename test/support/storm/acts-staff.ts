// Acts of the staff of a server. Each kind of act is rare, and soon undone.
import { actOnAccount, cleanUp } from '../acts.ts'
import { domainFor } from './acts-people.ts'
import type { Acts, Draw, Given } from './plan.ts'
import { placeOf } from './world.ts'

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

export const staffActs: Acts = {
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
  purge: {
    weight: 0.1,
    draw: someone,
    run: (world, _by, { place, target }) =>
      world.send(place, 'DELETE', `/api/v1/admin/accounts/${world.accountId(place, target)}`),
  },
  ...lifting('unsilence', 1),
  ...lifting('unsuspend', 1),
  ...lifting('unsensitive', 0.5),
}
