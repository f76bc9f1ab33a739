// Runs a plan on fresh servers, checks the invariants afterwards, and shortens plans that fail.
import { bringForward } from '../jobs.ts'
import { ACTS } from './acts.ts'
import { hiddenAccountsStayHidden } from './invariants-accounts.ts'
import { copiesEqualPosts, serversAgreeOnInteractions, serversAgreeOnPeople } from './invariants-agreement.ts'
import {
  conversationsShowTheirNewestPost,
  pollsShowVotes,
  relationshipsMatchRows,
  statusesMatchRows,
} from './invariants-cached.ts'
import { countsMatchLists } from './invariants-counts.ts'
import {
  homeEqualsRebuiltHome,
  searchIndexEqualsRebuiltIndex,
  storedHomesHaveNoDeletedPosts,
} from './invariants-feeds.ts'
import { groupsHaveAllNotifications, notificationsHaveCauses } from './invariants-notifications.ts'
import { pagesAreComplete } from './invariants-paging.ts'
import { accountsMatchRows, collectionsAgree, profilesAgree } from './invariants-profiles.ts'
import { hiddenPostsStayHidden } from './invariants-reading.ts'
import { answersEqualThoseAfterRestart } from './invariants-restart.ts'
import {
  countersMatchRows,
  mostActsSucceed,
  noJobFails,
  noRequestFails,
  pollsMatchVotes,
  rowsDoNotContradict,
  rowsPointToRows,
} from './invariants-rows.ts'
import {
  streamsHaveAllEntries,
  streamsHideHiddenPosts,
  streamsShowConversations,
  streamsShowTheNewest,
} from './invariants-streams.ts'
import {
  homesShowNothingElse,
  listsShowMembers,
  threadsAreComplete,
  timelinesShowWhatTheyShould,
} from './invariants-timelines.ts'
import { type Batch, makePlan } from './plan.ts'
import { PLACE_NAMES, startWorld, type World } from './world.ts'

/** Each returns the violations. Invariants that change rows come last. */
export const INVARIANTS: Record<string, (world: World) => Promise<string[]>> = {
  noRequestFails,
  mostActsSucceed,
  noJobFails,
  streamsHideHiddenPosts,
  streamsShowTheNewest,
  streamsHaveAllEntries,
  streamsShowConversations,
  countersMatchRows,
  pollsMatchVotes,
  rowsPointToRows,
  rowsDoNotContradict,
  serversAgreeOnPeople,
  serversAgreeOnInteractions,
  copiesEqualPosts,
  groupsHaveAllNotifications,
  notificationsHaveCauses,
  pagesAreComplete,
  relationshipsMatchRows,
  accountsMatchRows,
  profilesAgree,
  collectionsAgree,
  statusesMatchRows,
  pollsShowVotes,
  conversationsShowTheirNewestPost,
  timelinesShowWhatTheyShould,
  listsShowMembers,
  threadsAreComplete,
  homesShowNothingElse,
  countsMatchLists,
  hiddenPostsStayHidden,
  hiddenAccountsStayHidden,
  answersEqualThoseAfterRestart,
  storedHomesHaveNoDeletedPosts,
  homeEqualsRebuiltHome,
  searchIndexEqualsRebuiltIndex,
}

/** By the name of the invariant. */
export type Problems = Record<string, string[]>

/**
 * `races`: most acts do not wait for the jobs of those before; `often`: acts that are drawn twenty times as often; `bursts`: how
 * likely many acts on the same people happen at once.
 */
export function planFor(
  seed: number,
  length: number,
  { races, often = [], bursts = 0.08 }: { races: boolean; often?: readonly string[]; bursts?: number },
): Batch[] {
  const unknown = often.filter((name) => !(name in ACTS))
  if (unknown.length > 0) throw new Error(`no acts: ${unknown.join(', ')}`)
  const weighted = Object.entries(ACTS).map(
    ([name, act]) => [name, often.includes(name) ? { ...act, weight: act.weight * 20 } : act] as const,
  )
  const plan = makePlan(seed, length, Object.fromEntries(weighted), bursts)
  return races ? plan : plan.map((batch) => ({ ...batch, drains: true }))
}

/** `only`: the invariants to check; `twins`: see startWorld. */
export async function runPlan(
  plan: readonly Batch[],
  { only = Object.keys(INVARIANTS), twins = false }: { only?: readonly string[]; twins?: boolean } = {},
): Promise<Problems> {
  const world = await startWorld({ twins })
  const problems: Problems = {}
  try {
    await runBatches(world, plan)
    for (const [name, invariant] of Object.entries(INVARIANTS)) {
      if (!only.includes(name)) continue
      const found = await invariant(world).catch((error) => [String(error.stack)])
      if (found.length > 0) problems[name] = found
    }
  } finally {
    // It throws when a server has logged an error.
    await world.stop().catch((error) => (problems['noErrorIsLogged'] = [String(error)]))
  }
  return problems
}

/** Waits until both servers are idle, and have sent what they send with a delay. */
export async function runBatches(world: World, plan: readonly Batch[]): Promise<void> {
  for (const { steps, drains } of plan) {
    await Promise.all(steps.map(({ act, by, given }) => ACTS[act]?.run(world, by, given)))
    if (drains) await world.drain()
  }
  await world.drain()
  if (world.failure !== null) await world.rejoin()
  await world.drain()
  for (const place of PLACE_NAMES) await bringForward(world.network[place], 'polls.tell')
  await world.drain()
}

/** Removes batches, in halves, quarters and so on, as long as the plan still breaks one of the invariants and there is time. */
export async function shorten(
  plan: readonly Batch[],
  invariants: readonly string[],
  seconds: number,
  { twins = false } = {},
): Promise<Batch[]> {
  const end = Date.now() + seconds * 1000
  const fails = async (candidate: readonly Batch[]): Promise<boolean> =>
    Object.keys(await runPlan(candidate, { only: invariants, twins }).catch(() => ({}))).length > 0
  let shortest = [...plan]
  for (
    let size = Math.ceil(shortest.length / 2);
    size >= 1 && Date.now() < end;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let at = 0; at < shortest.length && Date.now() < end;) {
      const candidate = [...shortest.slice(0, at), ...shortest.slice(at + size)]
      if (await fails(candidate)) shortest = candidate
      else at += size
    }
  return shortest
}
