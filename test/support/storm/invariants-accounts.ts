// Lists of accounts show none that is suspended, or that a block, mute or domain block hides from the reader.
import { type Facts, pair, readFacts } from './facts.ts'
import { labelsById } from './invariants-agreement.ts'
import { NAMES, type Place, PLACE_NAMES, placeOf, type World } from './world.ts'

const LISTS = [
  '/api/v1/directory?limit=80',
  '/api/v2/suggestions',
  '/api/v1/endorsements',
  '/api/v1/follow_requests',
  '/api/v1/notifications?limit=80',
  '/api/v1/notifications/requests',
]
const OF_ACCOUNT = ['followers', 'following', 'endorsements']
const OF_POST = ['reblogged_by', 'favourited_by', 'quotes']

/** Whether this list of `viewer` leaves out the account. */
function hides(facts: Facts[Place], viewer: string | null, other: string, isOwn: boolean): boolean {
  const { blocks, mutes, blocksDomain, suspended } = facts
  if (suspended.has(other)) return true
  if (viewer === null || viewer === other) return false
  return (
    blocks.has(pair(viewer, other)) ||
    blocks.has(pair(other, viewer)) ||
    // People see which muted accounts they follow, feature or may accept as followers; a mute may let notifications through.
    (!isOwn && mutes.has(pair(viewer, other))) ||
    (blocksDomain.has(viewer) && placeOf(viewer) !== placeOf(other))
  )
}

export async function hiddenAccountsStayHidden(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const readers = await world.readers()
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const posts = [...(await labelsById(world, place)).keys()]
    const paths = [
      ...NAMES.flatMap((name) => OF_ACCOUNT.map((list) => `/api/v1/accounts/${world.accountId(place, name)}/${list}`)),
      ...posts.flatMap((id) => OF_POST.map((list) => `/api/v1/statuses/${id}/${list}`)),
    ]
    for (const viewer of [null, ...readers.filter((name) => placeOf(name) === place)]) {
      const hidden = NAMES.filter((name) => hides(facts[place], viewer, name, false))
      if (hidden.length === 0) continue
      const token = viewer === null ? null : world.person(viewer).token
      for (const path of viewer === null ? paths : [...LISTS, ...paths]) {
        const { status, json } = await world.network[place].send('GET', path, { token })
        if (status !== 200) continue
        const shown = new Set<string>(json.map((item: any) => (item.account ?? item).username))
        const isOwn =
          /notifications|follow_requests|v1\/endorsements/.test(path) ||
          (viewer !== null && path.includes(world.person(viewer).id))
        for (const name of hidden)
          if (shown.has(name) && hides(facts[place], viewer, name, isOwn))
            problems.push(`${viewer ?? `anyone at ${place}`} GET ${path} shows ${name}`)
      }
    }
  }
  return problems
}
