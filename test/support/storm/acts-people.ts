// Acts of people on each other.
import { addAlias, deleteAccount, moveAccount } from '../acts.ts'
import { bringForward } from '../jobs.ts'
import { handleOf } from '../network.ts'
import type { Acts, Draw, Given } from './plan.ts'
import { AppError } from '../internals.ts'
import { noteChange, noteMove, otherPlace, placeOf, type World } from './world.ts'

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

/** The other domain. */
export const domainFor = (world: World, by: string): string => world.network[otherPlace(placeOf(by))].domain

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
  expireMutes: {
    weight: 1,
    draw: () => ({}),
    async run(world, by) {
      const server = world.serverOf(by)
      const { rows } = await server.database.raw(
        `update mutes set expires_at = now() - interval '1 second' where expires_at is not null and account_id = $1
        returning target_account_id as id`,
        [world.person(by).id],
      )
      for (const { id } of rows) noteChange(world, by, `/api/v1/accounts/${id}/unmute`, {})
      await bringForward(server, 'fanout.merge')
    },
  },
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
  profile: {
    weight: 4,
    draw: (draw) => ({
      display_name: `Name ${draw.below(100)}`,
      ...(draw.chance(0.5) ? { discoverable: draw.chance(0.8) } : {}),
      ...(draw.chance(0.3) ? { indexable: draw.chance(0.5) } : {}),
    }),
    run: (world, by, json) => world.send(by, 'PATCH', '/api/v1/accounts/update_credentials', json),
  },
  move: {
    weight: 0.3,
    draw: (draw, by) => ({ target: draw.other(by) }),
    async run(world, by, { target }) {
      const there = world.serverOf(target)
      for (const name of [by, target])
        if ((await world.send(name, 'GET', '/api/v1/accounts/verify_credentials')).status !== 200) return
      const { id: accountId, userId, username } = world.person(by)
      try {
        await addAlias(there.ctx, world.person(target).id, handleOf(world.serverOf(by), { username }))
        await moveAccount(
          world.serverOf(by).ctx,
          { accountId, userId, username },
          handleOf(there, { username: target }),
        )
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
      }
      noteMove(world, by, target)
    },
  },
  delete: {
    weight: 0.2,
    draw: () => ({}),
    run: (world, by) => deleteAccount(world.serverOf(by).ctx, world.person(by).id),
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
