// Timelines and lists have the posts that the rules select, computed here from all rows.
import { sql } from '../database.ts'
import { describe } from './describe.ts'
import { type Facts, pair, readFacts } from './facts.ts'
import { TAGS } from './acts-posts.ts'
import { NAMES, type Place, PLACE_NAMES, placeOf, type Visibility, type World } from './world.ts'

type Row = {
  id: string
  author: string
  visibility: Visibility
  reply: boolean
  local: boolean
  answered: string | null
  original: Row | null
  reblog_of_id: string | null
  in_reply_to_id: string | null
  language: string | null
  mentioned: string[]
  tags: string[]
  indexable: boolean
  favourites: string[]
  bookmarks: string[]
  media: boolean
  edited: boolean
}

/** Newest first. */
async function readRows(world: World, place: Place): Promise<Row[]> {
  const names = new Map(NAMES.map((name) => [world.accountId(place, name), name]))
  const rows = await world.network[place].ctx.db.many<any>(sql`
    select s.id, s.account_id, s.visibility, s.reply, s.local, s.in_reply_to_account_id, s.reblog_of_id, s.in_reply_to_id, s.language,
      s.media_ids <> '{}' as media, s.edited_at is not null as edited, coalesce(a.indexable, false) as indexable,
      array(select m.account_id from mentions m where m.status_id = s.id) as mentioned,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
      array(select f.account_id from favourites f where f.status_id = s.id) as favourites,
      array(select f.account_id from bookmarks f where f.status_id = s.id) as bookmarks
    from statuses s join accounts a on a.id = s.account_id where s.approval is null order by s.id desc`)
  const named = (ids: string[]): string[] => ids.map((id) => names.get(id) ?? id)
  const found = new Map<string, Row>()
  for (const row of rows.toReversed())
    found.set(row.id, {
      ...row,
      author: names.get(row.account_id) ?? row.account_id,
      answered: row.in_reply_to_account_id && (names.get(row.in_reply_to_account_id) ?? row.in_reply_to_account_id),
      mentioned: named(row.mentioned),
      favourites: named(row.favourites),
      bookmarks: named(row.bookmarks),
      original: null,
    })
  for (const row of found.values())
    row.original = row.reblog_of_id === null ? null : (found.get(row.reblog_of_id) ?? null)
  return [...found.values()].toReversed()
}

class Rules {
  readonly facts: Facts[Place]
  readonly place: Place
  constructor(facts: Facts, place: Place) {
    this.facts = facts[place]
    this.place = place
  }
  follows = (one: string, other: string): boolean => this.facts.follows.has(pair(one, other))
  /** Statuses, not through boosts. */
  mayRead(viewer: string | null, row: Row): boolean {
    if (this.facts.suspended.has(row.author)) return false
    if (viewer === row.author) return true
    if (viewer !== null && this.facts.blocks.has(pair(row.author, viewer))) return false
    if (row.visibility === 'public' || row.visibility === 'unlisted') return true
    if (viewer === null) return false
    return row.mentioned.includes(viewer) || (row.visibility === 'private' && this.follows(viewer, row.author))
  }
  /** Blocks, mutes and domain blocks, which timelines apply. */
  hides(viewer: string | null, other: string): boolean {
    if (viewer === null || viewer === other) return false
    const { blocks, mutes, blocksDomain } = this.facts
    return (
      blocks.has(pair(viewer, other)) ||
      blocks.has(pair(other, viewer)) ||
      mutes.has(pair(viewer, other)) ||
      (blocksDomain.has(viewer) && placeOf(viewer) !== placeOf(other))
    )
  }
  showsInPublic(viewer: string | null, row: Row): boolean {
    return (
      row.visibility === 'public' &&
      row.original === null &&
      row.reblog_of_id === null &&
      !this.facts.silenced.has(row.author) &&
      !this.facts.suspended.has(row.author) &&
      !this.hides(viewer, row.author)
    )
  }
  showsWithOriginal(viewer: string | null, row: Row, alsoHides: (name: string) => boolean): boolean {
    const each = row.reblog_of_id === null ? [row] : [row, row.original]
    return each.every((one) => one !== null && this.mayRead(viewer, one) && !alsoHides(one.author))
  }
}

export async function timelinesShowWhatTheyShould(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const rows = await readRows(world, place)
    const rules = new Rules(facts, place)
    const viewers = [null, ...(await world.readers()).filter((name) => placeOf(name) === place)]
    for (const viewer of viewers)
      for (const [path, expected] of expectations(world, place, rules, rows, viewer)) {
        const token = viewer === null ? null : world.person(viewer).token
        const { json, status } = await world.network[place].send('GET', path, { token })
        if (status !== 200) {
          problems.push(`${viewer ?? `anyone at ${place}`} GET ${path}: ${status}`)
          continue
        }
        const shown: string[] = (json.statuses ?? json).map(({ id }: { id: string }) => id)
        const wanted = expected.map(({ id }) => id).slice(0, 40)
        for (const id of wanted.filter((each) => !shown.includes(each)))
          problems.push(`${viewer ?? `anyone at ${place}`} GET ${path} lacks ${await describe(world, place, id)}`)
        for (const id of shown.filter((each) => !wanted.includes(each)))
          problems.push(
            `${viewer ?? `anyone at ${place}`} GET ${path} should not have ${await describe(world, place, id)}`,
          )
      }
  }
  return problems
}

function* expectations(
  world: World,
  place: Place,
  rules: Rules,
  rows: Row[],
  viewer: string | null,
): Generator<[string, Row[]]> {
  const open = rows.filter((row) => rules.showsInPublic(viewer, row))
  const live = open.filter(({ reply }) => !reply)
  yield ['/api/v1/timelines/public?limit=40', live]
  yield ['/api/v1/timelines/public?local=true&limit=40', live.filter(({ local }) => local)]
  yield ['/api/v1/timelines/public?remote=true&limit=40', live.filter(({ local }) => !local)]
  yield ['/api/v1/timelines/public?only_media=true&limit=40', live.filter(({ media }) => media)]
  for (const tag of TAGS) yield [`/api/v1/timelines/tag/${tag}?limit=40`, open.filter(({ tags }) => tags.includes(tag))]
  for (const author of NAMES) {
    if (rules.facts.suspended.has(author)) continue
    const all = rows.filter(
      (row) =>
        row.author === author &&
        rules.showsWithOriginal(viewer, row, () => false) &&
        (row.original === null || viewer === author || !rules.hides(viewer, row.original.author)),
    )
    const path = `/api/v1/accounts/${world.accountId(place, author)}/statuses?limit=40`
    const isBlocked = viewer !== null && rules.facts.blocks.has(pair(author, viewer))
    yield [path, isBlocked ? [] : all]
    yield [`${path}&exclude_reblogs=true`, isBlocked ? [] : all.filter(({ reblog_of_id }) => reblog_of_id === null)]
    const isOwnThread = ({ reply, answered }: Row): boolean => !reply || answered === author
    yield [`${path}&exclude_replies=true`, isBlocked ? [] : all.filter(isOwnThread)]
  }
  if (viewer === null) return
  const readable = rows.filter((row) => rules.mayRead(viewer, row))
  yield ['/api/v1/favourites?limit=40', readable.filter(({ favourites }) => favourites.includes(viewer))]
  yield ['/api/v1/bookmarks?limit=40', readable.filter(({ bookmarks }) => bookmarks.includes(viewer))]
  const findable = readable.filter(
    ({ reblog_of_id, visibility, indexable, author, mentioned, favourites, bookmarks }) =>
      reblog_of_id === null &&
      !rules.hides(viewer, author) &&
      ((visibility === 'public' && indexable) || [author, ...mentioned, ...favourites, ...bookmarks].includes(viewer)),
  )
  // Each post has this word.
  yield ['/api/v2/search?q=said&type=statuses&limit=40', findable]
}

/** Opens all threads: a server then fetches the replies that it lacks, which would come while threads are compared. */
async function completeThreads(world: World): Promise<void> {
  for (const name of await world.readers())
    for (const { id, reblog_of_id } of await readRows(world, placeOf(name)))
      if (reblog_of_id === null)
        await world.network[placeOf(name)].send('GET', `/api/v1/statuses/${id}/context`, world.person(name))
  await world.drain()
}

/** Threads and lists of people who interacted, of all posts that have any. */
export async function threadsAreComplete(world: World): Promise<string[]> {
  await completeThreads(world)
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const rows = await readRows(world, place)
    const rules = new Rules(facts, place)
    const viewers = [null, ...(await world.readers()).filter((name) => placeOf(name) === place)]
    for (const viewer of viewers) {
      const get = (path: string) =>
        world.network[place].send('GET', path, { token: viewer === null ? null : world.person(viewer).token })
      const isShown = (row: Row): boolean =>
        rules.mayRead(viewer, row) &&
        !rules.hides(viewer, row.author) &&
        (!rules.facts.silenced.has(row.author) ||
          row.author === viewer ||
          (viewer !== null && rules.follows(viewer, row.author)))
      for (const root of rows.filter((row) => row.reblog_of_id === null && rules.mayRead(viewer, row))) {
        const below = new Set([root.id])
        for (let size = 0; below.size > size;) {
          size = below.size
          for (const row of rows) if (row.in_reply_to_id && below.has(row.in_reply_to_id)) below.add(row.id)
        }
        const expected = rows.filter((row) => row !== root && below.has(row.id) && isShown(row)).map(({ id }) => id)
        const wrong = async (what: string, ids: string[]): Promise<void> =>
          void problems.push(
            `${viewer ?? `anyone at ${place}`}: ${what} of ${await describe(world, place, root.id)}: ${ids.join(' ')}`,
          )
        const { json } = await get(`/api/v1/statuses/${root.id}/context`)
        const shown: string[] = json.descendants.map(({ id }: { id: string }) => id)
        const differing = [...new Set(shown).symmetricDifference(new Set(expected))]
        if (differing.length > 0) await wrong('descendants', differing)
        const people: any[] = (await get(`/api/v1/statuses/${root.id}/favourited_by?limit=80`)).json
        const names = root.favourites.filter((name) => !rules.facts.suspended.has(name) && !rules.hides(viewer, name))
        const said = people.map(({ username }) => username).filter((name: string) => !rules.hides(viewer, name))
        if (said.toSorted().join() !== names.toSorted().join()) await wrong('favourited_by', said)
      }
    }
  }
  return problems
}

/** Each entry of a home timeline comes from the reader, a followed account or a followed hashtag, and no rule hides it. */
export async function homesShowNothingElse(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const rows = new Map((await readRows(world, place)).map((row) => [row.id, row]))
    const rules = new Rules(facts, place)
    for (const name of (await world.readers()).filter((each) => placeOf(each) === place)) {
      const tags = new Set((await world.person(name).get('/api/v1/followed_tags')).map((tag: any) => tag.name))
      const exclusive = await exclusiveMembers(world, name)
      for (const { id } of await world.person(name).get('/api/v1/timelines/home?limit=40')) {
        const row = rows.get(id)
        const wrong = async (what: string): Promise<void> =>
          void problems.push(`${name} has at home ${await describe(world, place, id)}: ${what}`)
        if (!row) {
          await wrong('no row')
          continue
        }
        if (row.author === name) continue
        if (!rules.showsWithOriginal(name, row, (each) => rules.hides(name, each))) await wrong('hidden')
        if (exclusive.has(row.author)) await wrong('on an exclusive list')
        // An edited post may have had the hashtag before.
        if (row.edited || world.moved.has(row.author)) continue
        if (!rules.follows(name, row.author) && !(row.visibility === 'public' && row.tags.some((tag) => tags.has(tag))))
          await wrong('not followed')
      }
    }
  }
  return problems
}

async function exclusiveMembers(world: World, name: string): Promise<Set<string>> {
  const lists: any[] = await world.person(name).get('/api/v1/lists')
  const found = new Set<string>()
  for (const { id } of lists.filter(({ exclusive }) => exclusive))
    for (const { id: member } of await world.person(name).get(`/api/v1/lists/${id}/accounts?limit=0`))
      found.add(NAMES.find((each) => world.accountId(name, each) === member) as string)
  return found
}

export async function listsShowMembers(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const rows = await readRows(world, place)
    const rules = new Rules(facts, place)
    for (const name of (await world.readers()).filter((each) => placeOf(each) === place))
      for (const { id, replies_policy: policy } of await world.person(name).get('/api/v1/lists')) {
        const accounts: any[] = await world.person(name).get(`/api/v1/lists/${id}/accounts?limit=0`)
        const members = NAMES.filter((each) => accounts.some((account) => account.id === world.accountId(name, each)))
        const shown: any[] = await world.person(name).get(`/api/v1/timelines/list/${id}?limit=40`)
        const belongs = (row: Row): boolean => {
          if (!members.includes(row.author) || !rules.follows(name, row.author)) return false
          if (!rules.showsWithOriginal(name, row, (each) => rules.hides(name, each))) return false
          // Options of follows decide about the others, and repetitions about boosts.
          if (row.reblog_of_id !== null || world.optionChanges.has(`${name} ${row.author}`)) return false
          if (row.mentioned.some((each) => facts[place].blocks.has(pair(name, each)))) return false
          if (row.visibility === 'direct' && !row.mentioned.includes(name)) return false
          if (!row.reply || row.answered === row.author || row.answered === name) return true
          if (row.answered === null || !rules.follows(name, row.answered)) return false
          return policy === 'followed' || (policy === 'list' && members.includes(row.answered))
        }
        const ids = shown.map((status) => status.id)
        for (const row of rows.filter(belongs).slice(0, 40 - shown.length))
          if (!ids.includes(row.id))
            problems.push(`${name}: list ${id} (${policy}) lacks ${await describe(world, place, row.id)}`)
        for (const each of ids) {
          const row = rows.find((one) => one.id === each)
          if (!row || row.reblog_of_id !== null || world.optionChanges.has(`${name} ${row.author}`)) continue
          if (!belongs(row)) problems.push(`${name}: list ${id} (${policy}) has ${await describe(world, place, each)}`)
        }
      }
  }
  return problems
}
