// Acts of people on each other.
import type { Acts, Draw, Given } from './plan.ts'
import { placeOf, PLACE_NAMES, type World } from './world.ts'

const onAccount = (name: string, weight: number, json: (draw: Draw) => Given = () => ({})): Acts => ({
  [name]: {
    weight,
    draw: (draw, by) => ({ target: draw.other(by), json: json(draw) }),
    run: (world, by, { target, json: body }) =>
      world.send(by, 'POST', `/api/v1/accounts/${world.accountId(by, target)}/${name}`, body),
  },
})

const followOptions = (draw: Draw): Given => ({
  ...(draw.chance(0.2) ? { reblogs: draw.chance(0.5) } : {}),
  ...(draw.chance(0.2) ? { notify: draw.chance(0.7) } : {}),
  ...(draw.chance(0.15) ? { languages: draw.one([['de'], ['en'], []]) } : {}),
})

const otherPlace = (name: string): string => PLACE_NAMES.find((place) => place !== placeOf(name)) as string
/** The other domain. */
export const domainFor = (world: World, by: string): string =>
  world.network[otherPlace(by) as (typeof PLACE_NAMES)[number]].domain

const answerRequest = (name: 'authorize' | 'reject', weight: number): Acts => ({
  [name]: {
    weight,
    draw: () => ({}),
    async run(world, by) {
      const { json } = await world.send(by, 'GET', '/api/v1/follow_requests')
      if (json?.[0]) await world.send(by, 'POST', `/api/v1/follow_requests/${json[0].id}/${name}`)
    },
  },
})

export const peopleActs: Acts = {
  ...onAccount('follow', 24, followOptions),
  ...onAccount('unfollow', 6),
  ...onAccount('remove_from_followers', 3),
  ...onAccount('block', 4),
  ...onAccount('unblock', 3),
  ...onAccount('mute', 3, (draw) => ({
    ...(draw.chance(0.3) ? { notifications: false } : {}),
    ...(draw.chance(0.3) ? { duration: 86_400 } : {}),
  })),
  ...onAccount('unmute', 2),
  ...onAccount('endorse', 3),
  ...onAccount('unendorse', 1),
  ...onAccount('note', 1, () => ({ comment: 'met at the harbour' })),
  ...answerRequest('authorize', 8),
  ...answerRequest('reject', 2),
  lock: {
    weight: 3,
    draw: (draw) => ({ locked: draw.chance(0.5) }),
    run: (world, by, json) => world.send(by, 'PATCH', '/api/v1/accounts/update_credentials', json),
  },
  blockDomain: {
    weight: 1,
    draw: () => ({}),
    run: (world, by) => world.send(by, 'POST', '/api/v1/domain_blocks', { domain: domainFor(world, by) }),
  },
  unblockDomain: {
    weight: 2,
    draw: () => ({}),
    run: (world, by) => world.send(by, 'DELETE', '/api/v1/domain_blocks', { domain: domainFor(world, by) }),
  },
}
