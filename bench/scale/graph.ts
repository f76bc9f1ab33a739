import { idAt } from '../../src/lib/ids.ts'
import { createRandom, type Random } from '../seed/random.ts'

const YEARS = 2
const DAY = 86_400_000
const STATUSES_PER_ACCOUNT = 50
const FEWEST_ACCOUNTS = 300
/** How many accounts each account follows. */
const FOLLOWING = 20
/** How many of the most followed accounts each user follows. */
const USER_FOLLOWING = 150
const LOCAL_SHARE = 0.1

/** Who exists and who follows whom. Indexes name accounts: the users come first, and the most followed of the others next. */
export type Graph = {
  random: Random
  size: number
  users: number
  accounts: number
  /** Ids of accounts, by index. */
  ids: string[]
  isLocal(account: number): boolean
  /** Whether everyone can find its public posts. The users have not allowed it. */
  isIndexable(account: number): boolean
  /** The id of the status `n`; `low` distinguishes what else belongs to its moment. */
  idOf(n: number, low?: number): string
  timeOf(n: number): Date
  /** Skewed: a tenth of the accounts gets half of the picks. */
  pickAccount(): number
  follows: [number, number][]
}

export function makeGraph(size: number, userIds: readonly string[]): Graph {
  const random = createRandom(39)
  const users = userIds.length
  const accounts = Math.max(FEWEST_ACCOUNTS, Math.floor(size / STATUSES_PER_ACCOUNT)) + users
  const first = Date.now() - YEARS * 365 * DAY
  const step = (YEARS * 365 * DAY - 3_600_000) / size
  const timeOf = (n: number): Date => new Date(first + Math.floor(n * step))
  const ids = [...userIds]
  for (let n = users; n < accounts; n++) ids.push(idAt(new Date(first - 30 * DAY + n)))
  const pickAccount = (): number => users + Math.floor(random.next() ** 3.3 * (accounts - users))
  return {
    random,
    size,
    users,
    accounts,
    ids,
    isLocal: (account) => account < users || account % (1 / LOCAL_SHARE) === 0,
    isIndexable: (account) => account >= users && account % 2 === 0,
    idOf: (n, low = 0) => idAt(timeOf(n), low),
    timeOf,
    pickAccount,
    follows: followsOf({ users, accounts, pickAccount }),
  }
}

function followsOf({
  users,
  accounts,
  pickAccount,
}: Pick<Graph, 'users' | 'accounts' | 'pickAccount'>): [number, number][] {
  const follows: [number, number][] = []
  for (let user = 0; user < users; user++) {
    for (let other = 0; other < users; other++) if (other !== user) follows.push([user, other])
    for (let popular = 0; popular < USER_FOLLOWING; popular++) follows.push([user, users + popular])
  }
  for (let account = users; account < accounts; account++) {
    const followed = new Set(Array.from({ length: FOLLOWING }, pickAccount))
    followed.delete(account)
    for (const target of followed) follows.push([account, target])
  }
  return follows
}
