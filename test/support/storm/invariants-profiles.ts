// Accounts and their collections: the API agrees with the rows, and both servers with each other.
import { sql } from '../database.ts'
import { readFacts } from './facts.ts'
import { areApart } from './invariants-agreement.ts'
import { difference, type Row } from './invariants-cached.ts'
import { NAMES, otherPlace, type Place, PLACE_NAMES, placeOf, type World } from './world.ts'

export async function accountsMatchRows(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const rows = await world.serverOf(name).ctx.db.many<Row>(sql`
      select a.id, a.display_name, a.locked, a.discoverable, a.domain is null as local,
        coalesce(t.followers_count, 0) as followers_count, coalesce(t.following_count, 0) as following_count,
        coalesce(t.statuses_count, 0) as statuses_count, a.silenced_at is not null as limited, m.username as moved
      from accounts a left join account_stats t on t.account_id = a.id left join accounts m on m.id = a.moved_to_id
      where a.username = any(${NAMES}) and a.suspended_at is null`)
    for (const { local, followers_count, following_count, statuses_count, limited, moved, ...row } of rows) {
      const { status, json } = await world.person(name).send('GET', `/api/v1/accounts/${row['id']}`)
      const wrong = (what: string): void => void problems.push(`${name} and account ${row['id']}: ${what}`)
      if (status !== 200) {
        wrong(String(status))
        continue
      }
      const said = { ...json, limited: json.limited ?? false, moved: json.moved?.username ?? null }
      const counts = local ? { followers_count, following_count, statuses_count } : {}
      for (const what of difference(said, { ...row, ...counts, limited, moved })) wrong(what)
    }
  }
  return problems
}

type Profile = { username: string; display_name: string; locked: boolean; discoverable: boolean; moved: string | null }

/** Of accounts that someone on the other server has followed since the last change. */
export async function profilesAgree(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  const read = (place: Place): Promise<Profile[]> =>
    world.network[place].ctx.db.many<Profile>(sql`
      select a.username, a.display_name, a.locked, coalesce(a.discoverable, false) as discoverable, m.username as moved
      from accounts a left join accounts m on m.id = a.moved_to_id where a.username = any(${NAMES})`)
  const copies = { alpha: await read('alpha'), beta: await read('beta') }
  for (const name of NAMES) {
    const [home, away] = [placeOf(name), otherPlace(placeOf(name))]
    if (facts[home].everSuspended.has(name) || facts[away].everSuspended.has(name)) continue
    if (!isHeard(world, facts, name)) continue
    const [original, copy] = [home, away].map((place) => copies[place].find(({ username }) => username === name))
    for (const what of difference(copy ?? {}, original as Profile)) problems.push(`${name} on ${away}: ${what}`)
  }
  return problems
}

/** Whether someone on the other server has followed the account since before its profile or collections last changed. */
const isHeard = (world: World, facts: Awaited<ReturnType<typeof readFacts>>, name: string): boolean =>
  NAMES.some(
    (each) =>
      placeOf(each) !== placeOf(name) &&
      facts[placeOf(name)].follows.has(`${each}>${name}`) &&
      !areApart(world, facts, each, name) &&
      (world.changes.get(`${each} ${name}`) ?? -1) < (world.changes.get(`profile ${name}`) ?? -1),
  )

type Stored = { id: string; name: string; owner: string; description: string; discoverable: boolean; members: string[] }

const readCollections = (world: World, place: Place): Promise<Stored[]> =>
  world.network[place].ctx.db.many<Stored>(sql`
    select c.id, c.name, o.username as owner, c.description, c.discoverable, array(
      select a.username from collection_items i join accounts a on a.id = i.account_id
      where i.collection_id = c.id and i.state = 'accepted' order by 1) as members
    from collections c join accounts o on o.id = c.account_id`)

export async function collectionsAgree(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const everSuspended = (name: string): boolean => PLACE_NAMES.some((place) => facts[place].everSuspended.has(name))
  const stored = { alpha: await readCollections(world, 'alpha'), beta: await readCollections(world, 'beta') }
  const problems: string[] = []
  for (const place of PLACE_NAMES)
    for (const copy of stored[otherPlace(place)].filter(({ owner }) => placeOf(owner) === place)) {
      if (everSuspended(copy.owner)) continue
      const original = stored[place].find(({ name }) => name === copy.name)
      const foreign = NAMES.filter((name) => placeOf(name) !== place)
      const members = (of: Stored): string[] =>
        of.members.filter(
          (name) => !everSuspended(name) && foreign.every((each) => !areApart(world, facts, name, each)),
        )
      if (!original) {
        if (copy.members.some((name) => foreign.includes(name)) || isHeard(world, facts, copy.owner))
          problems.push(`a copy of ${copy.name} by ${copy.owner} is left`)
        continue
      }
      if (foreign.some((name) => areApart(world, facts, copy.owner, name))) continue
      if (isHeard(world, facts, copy.owner) || original.members.some((name) => foreign.includes(name)))
        for (const what of difference(
          { ...copy, members: members(copy) },
          { ...original, id: copy.id, description: copy.description, members: members(original) },
        ))
          problems.push(`${copy.name} by ${copy.owner}, in the copy: ${what}`)
    }
  for (const place of PLACE_NAMES)
    for (const { name, owner, members } of stored[place].filter(({ owner }) => placeOf(owner) === place))
      for (const member of members.filter(
        (each) => placeOf(each) !== place && !everSuspended(each) && !everSuspended(owner),
      ))
        if (!areApart(world, facts, owner, member))
          if (!stored[placeOf(member)].some((copy) => copy.name === name && copy.members.includes(member)))
            problems.push(`${name} by ${owner} has ${member}, whose server does not know`)
  return problems
}
