// Acts of people on collections of accounts.
import { onThing } from './acts-settings.ts'
import type { Acts } from './plan.ts'
import type { World } from './world.ts'

const onCollection = onThing('collection')

type Item = { id: string; account_id: string | null }

async function itemsOf(world: World, by: string, id: string): Promise<Item[]> {
  const { json } = await world.send(by, 'GET', `/api/v1/collections/${id}`)
  return json?.collection?.items ?? []
}

export const collectionActs: Acts = {
  createCollection: {
    weight: 2,
    draw: (draw, by) => ({
      label: draw.newThing('collection', by),
      targets: [draw.other(by), draw.other(by)],
      discoverable: draw.chance(0.7),
    }),
    async run(world, by, { label, targets, discoverable }) {
      const account_ids = (targets as string[]).map((name) => world.accountId(by, name))
      const body = { name: label, discoverable, account_ids: [...new Set(account_ids)] }
      let answer = await world.send(by, 'POST', '/api/v1/collections', body)
      if (answer.status !== 200)
        answer = await world.send(by, 'POST', '/api/v1/collections', { ...body, account_ids: [] })
      if (answer.status === 200) world.things.set(label, answer.json.collection.id)
    },
  },
  changeCollection: onCollection(
    1,
    (draw) => ({ discoverable: draw.chance(0.7), description: `about ${draw.below(100)}` }),
    (world, by, id, { discoverable, description }) =>
      world.send(by, 'PATCH', `/api/v1/collections/${id}`, { discoverable, description }),
  ),
  addToCollection: onCollection(
    5,
    (draw, by) => ({ target: draw.other(by) }),
    (world, by, id, { target }) =>
      world.send(by, 'POST', `/api/v1/collections/${id}/items`, { account_id: world.accountId(by, target) }),
  ),
  removeFromCollection: onCollection(
    2,
    (draw, by) => ({ target: draw.other(by) }),
    async (world, by, id, { target }) => {
      const items = await itemsOf(world, by, id)
      const item = items.find(({ account_id }) => account_id === world.accountId(by, target))
      if (item) await world.send(by, 'DELETE', `/api/v1/collections/${id}/items/${item.id}`)
    },
  ),
  deleteCollection: onCollection(
    0.5,
    () => ({}),
    (world, by, id) => world.send(by, 'DELETE', `/api/v1/collections/${id}`),
  ),
  leaveCollection: {
    weight: 2,
    draw: () => ({}),
    async run(world, by) {
      const me = world.person(by).id
      const { json } = await world.send(by, 'GET', `/api/v1/accounts/${me}/in_collections`)
      const id = json?.collections?.[0]?.id
      if (id === undefined) return
      const item = (await itemsOf(world, by, id)).find(({ account_id }) => account_id === me)
      if (item) await world.send(by, 'POST', `/api/v1/collections/${id}/items/${item.id}/revoke`)
    },
  },
}
