// Two servers that federate, their people, and the record of the posts that the storm made.
import { sql } from '../database.ts'
import { FetchError } from '../internals.ts'
import { clearFailures, runDelayedJobs } from '../jobs.ts'
import { discoverablePerson } from '../collections.ts'
import { meet } from '../federated-people.ts'
import { type Network, startNetwork } from '../network.ts'
import { listen, type Listening } from '../../streaming/listen.ts'
import { startTwin } from '../server-pool.ts'
import type { Server } from '../../../src/server.ts'
import type { Answer, Person, TestServer } from '../server.ts'

export const PLACES = { alpha: ['ada', 'bob', 'cleo', 'dan'], beta: ['eve', 'fay', 'gus', 'hal'] } as const
export type Place = keyof typeof PLACES
export const PLACE_NAMES = Object.keys(PLACES) as Place[]
export const NAMES: readonly string[] = PLACE_NAMES.flatMap((place) => PLACES[place])
export const placeOf = (name: string): Place => ((PLACES.alpha as readonly string[]).includes(name) ? 'alpha' : 'beta')

export const otherPlace = (place: Place): Place => (place === 'alpha' ? 'beta' : 'alpha')

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** A post whose author received a success for it. */
export type Post = {
  label: string
  number: number
  author: string
  id: string
  uri: string
  visibility: Visibility
  /** The accounts that one of its versions mentions. */
  mentioned: Set<string>
  /** The author of the post that it answers. */
  answers: string | null
  version: number
  deleted: boolean
  round: number
  /** The post that it boosts, by label. */
  boosts: string | null
}

/** A word that no other version of a post has: where it shows, that version shows. */
export const wordOf = (number: number, version: number): string => `zq${number}v${version}x`
export const WORDS = /zq(\d+)v(\d+)x/g

/**
 * - `partition`: no request arrives
 * - `lost answers`: requests arrive, and the sender repeats deliveries, as it sees no answer
 * - `some`: every third delivery arrives later than those after it, and every third is repeated
 */
export type Failure = 'partition' | 'lost answers' | 'some'

export type Sent = { by: string; method: string; path: string; json: unknown; status: number; text: string }

export type World = {
  network: Network<Place>
  people: Map<string, Person>
  staff: Record<Place, Person>
  /** What people receive, by name. Connections end with a suspension or deletion. */
  streams: Map<string, Listening>
  /** People whose own server lets them in: it has neither suspended nor frozen them. */
  readers(): Promise<string[]>
  posts: Map<string, Post>
  /** Lists, filters and the like that acts made, by label. */
  things: Map<string, string>
  sent: Sent[]
  /**
   * Grows whenever all jobs are done and no failure delays what they send. What happened in an earlier round was known everywhere before; the order within a round is
   * unknown, however long its requests took.
   */
  round: number
  /** The round in which the relationship of two people, named in this order, last changed. */
  changes: Map<string, number>
  /** Pairs of which the first has changed the options of its follow, as in `ada bob`. */
  optionChanges: Set<string>
  /** People who have moved: their former followers keep their posts. */
  moved: Set<string>
  /** Whether one server has at some time suspended the other, which then learns of nothing. */
  wasCut: boolean
  /** Pairs of which one has at some time blocked the other, or its domain: their servers kept things from each other. */
  everApart: Set<string>
  serverOf(name: string): TestServer
  person(name: string): Person
  /** The id of an account on the server of this person or place. */
  accountId(at: string, name: string): string
  /** As this person mentions the other. */
  handle(by: string, name: string): string
  /** The id of the copy on the server of this person or place; null if there is none. */
  statusId(at: string, label: string): Promise<string | null>
  /** Sends a request, and remembers it. */
  send(by: string, method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>
  drain(): Promise<void>
  /** What happens to requests from one server to the other; null: nothing. */
  failure: Failure | null
  /** Ends the failure, and sends what waited. */
  rejoin(): Promise<void>
  stop(): Promise<void>
}

/** `twins`: each server has a second one over the same database, which gets every other request of `send`. */
export async function startWorld({ twins: hasTwins = false } = {}): Promise<World> {
  const network = await startNetwork(PLACE_NAMES)
  const people = new Map<string, Person>()
  for (const name of NAMES) people.set(name, await discoverablePerson(network[placeOf(name)], name))
  const staff = {
    alpha: await network.alpha.person('moderator', { role: 'owner' }),
    beta: await network.beta.person('moderator', { role: 'owner' }),
  }
  const ids = await meetAll(network, people, staff)
  const placeAt = (at: string): Place => (at in PLACES ? (at as Place) : placeOf(at))
  const person = (name: string): Person => people.get(name) as Person
  const twins: Partial<Record<Place, Server>> = {}
  if (hasTwins) for (const place of PLACE_NAMES) twins[place] = await startTwin(network[place].ctx)
  const streams = new Map<string, Listening>()
  for (const [name, { token }] of people)
    streams.set(name, await listen(network[placeOf(name)], { token, streams: ['user', 'public', 'direct'] }))
  let requests = 0
  const world: World = {
    network,
    people,
    staff,
    streams,
    async readers() {
      const suspended = await Promise.all(
        PLACE_NAMES.map((place) =>
          network[place].ctx.db.many<{ id: string }>(sql`
            select id from accounts where suspended_at is not null union all
            select account_id from users where disabled`),
        ),
      )
      const ids = new Set(suspended.flat().map(({ id }) => id))
      return NAMES.filter((name) => !ids.has(person(name).id))
    },
    posts: new Map(),
    things: new Map(),
    sent: [],
    round: 0,
    changes: new Map(),
    optionChanges: new Set(),
    moved: new Set(),
    wasCut: false,
    everApart: new Set(),
    serverOf: (name) => network[placeAt(name)],
    person,
    accountId: (at, name) => ids[placeAt(at)].get(name) as string,
    handle: (by, name) => (placeOf(by) === placeOf(name) ? `@${name}` : `@${name}@${network[placeOf(name)].domain}`),
    async statusId(at, label) {
      const post = world.posts.get(label)
      if (!post) return null
      if (placeAt(at) === placeOf(post.author)) return post.id
      const found = await network[placeAt(at)].ctx.db.maybe<{ id: string }>(
        sql`select id from statuses where uri = ${post.uri}`,
      )
      return found?.id ?? null
    },
    async send(by, method, path, json, headers = {}) {
      const who = by in staff ? staff[by as Place] : person(by)
      const twin = twins[placeAt(by)]
      const isTwins = twin !== undefined && ++requests % 2 === 0
      const answer = await who.send(method, isTwins ? `http://127.0.0.1:${twin.ctx.config.port}${path}` : path, {
        headers: isTwins ? { host: twin.ctx.config.webDomain, ...headers } : headers,
        ...(json === undefined ? {} : { json }),
      })
      world.sent.push({ by, method, path, json, status: answer.status, text: answer.text.slice(0, 200) })
      if (answer.status < 300 && method !== 'GET') noteChange(world, by, path, json)
      return answer
    },
    async drain() {
      await network.drain()
      if (world.failure === null) world.round++
    },
    failure: null,
    async rejoin() {
      world.failure = null
      for (const place of PLACE_NAMES) await clearFailures(network[place])
      for (const place of PLACE_NAMES) await runDelayedJobs(network[place])
    },
    async stop() {
      for (const restore of restored) restore()
      for (const { end } of streams.values()) end()
      for (const twin of Object.values(twins)) await twin.stop()
      await network.stop()
    },
  }
  const restored = [
    ...PLACE_NAMES.map((place) => network[place].ctx),
    ...Object.values(twins).map(({ ctx }) => ctx),
  ].map((ctx) => mayFail(ctx.fetch, () => world.failure))
  return world
}

/** Returns how to undo it. */
function mayFail(gate: TestServer['ctx']['fetch'], failureNow: () => Failure | null): () => void {
  const request = gate.request.bind(gate)
  let deliveries = 0
  gate.request = async (url, options) => {
    const failure = failureNow()
    const isDelivery = options?.method === 'POST'
    if (failure === null || (failure !== 'partition' && !isDelivery)) return request(url, options)
    const turn = failure === 'some' ? ++deliveries % 3 : 0
    if (failure === 'some' && turn === 0) return request(url, options)
    if (failure === 'lost answers' || turn === 1) await request(url, options)
    throw new FetchError('network', 'the storm broke the connection')
  }
  return () => Reflect.deleteProperty(gate, 'request')
}

/** Ids of all accounts by name, on both servers. */
async function meetAll(
  network: Network<Place>,
  people: Map<string, Person>,
  staff: Record<Place, Person>,
): Promise<Record<Place, Map<string, string>>> {
  const ids = { alpha: new Map<string, string>(), beta: new Map<string, string>() }
  for (const place of PLACE_NAMES)
    for (const [name, person] of people) {
      const home = placeOf(name)
      ids[place].set(name, home === place ? person.id : await meet(network[place], staff[place], network[home], person))
    }
  return ids
}

/** Followers, blocks and mutes of the one come to be those of the other. */
export function noteMove(world: World, by: string, target: string): void {
  for (const name of NAMES)
    for (const one of [by, target]) {
      world.changes.set(`${one} ${name}`, world.round)
      world.changes.set(`${name} ${one}`, world.round)
      if (!world.everApart.has(`${name} ${by}`)) continue
      world.everApart.add(`${target} ${name}`).add(`${name} ${target}`)
    }
  for (const name of NAMES) if (world.optionChanges.has(`${name} ${by}`)) world.optionChanges.add(`${name} ${target}`)
  world.changes.set(`profile ${by}`, world.round)
  world.moved.add(by)
}

/** Remembers changes between people, and those by or about one of them as changes between that one and all. */
export function noteChange(world: World, by: string, path: string, json: unknown): void {
  const isStaff = by in PLACES
  const id = /\/(?:accounts|follow_requests)\/(\d+)\//.exec(path)?.[1]
  const target = NAMES.find((name) => world.accountId(by, name) === id)
  const text = JSON.stringify(json ?? {})
  if (/update_credentials|collections/.test(path)) world.changes.set(`profile ${by}`, world.round)
  if (target === undefined && !/domain_blocks/.test(path) && !text.includes('"locked"')) return
  if (isStaff && text.includes('"severity":"suspend"')) {
    world.wasCut = true
    for (const one of NAMES)
      for (const other of NAMES) if (placeOf(one) !== placeOf(other)) world.everApart.add(`${one} ${other}`)
  }
  if (/"(reblogs|languages)"/.test(text)) world.optionChanges.add(`${by} ${target}`)
  const ones = isStaff ? (target === undefined ? NAMES : [target]) : [by]
  for (const one of ones)
    for (const name of target === undefined || isStaff ? NAMES : [target]) {
      world.changes.set(`${one} ${name}`, world.round)
      world.changes.set(`${name} ${one}`, world.round)
      if (/block/.test(path) && !isStaff) world.everApart.add(`${one} ${name}`).add(`${name} ${one}`)
    }
}
