// The invariants of the storms notice what they are there for: after a small storm they hold, and each breaks when a row or a response
// is falsified.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import type { Step } from '../support/storm/plan.ts'
import { INVARIANTS, runBatches } from '../support/storm/storm.ts'
import { type Place, startWorld, wordOf } from '../support/storm/world.ts'

const world = await startWorld()
after(() => world.stop())

const step = (by: string, act: string, given: object = {}): Step => ({ act, by, given })
const follow = (by: string, target: string): Step => step(by, 'followAccount', { target, json: {} })
const post = (by: string, act: string, number: number, given: object = {}): Step =>
  step(by, act, { label: `post${number}`, number, visibility: 'public', mentions: [], ...given })
const storm = (...batches: Step[][]): Promise<void> =>
  runBatches(
    world,
    batches.map((steps) => ({ steps, drains: true })),
  )

await storm([follow('bob', 'ada'), follow('eve', 'ada'), follow('fay', 'ada'), follow('ada', 'bob')])
await storm(
  [
    post('ada', 'post', 0, { tag: 'rain', poll: { expires_in: 3600 } }),
    post('ada', 'post', 1, { visibility: 'private' }),
    post('dan', 'post', 2),
    post('ada', 'post', 3, { visibility: 'direct', mentions: ['bob'] }),
    step('bob', 'createList', { label: 'list0', options: { title: 'some', replies_policy: 'none' } }),
  ],
  [
    step('ada', 'createCollection', { label: 'collection0', targets: ['bob', 'eve'], discoverable: true }),
    step('ada', 'profileAccount', { display_name: 'Ada' }),
    post('bob', 'reply', 4, { target: 'post0' }),
    post('fay', 'quote', 5, { target: 'post0' }),
    step('eve', 'favourite', { target: 'post0' }),
    step('eve', 'vote', { target: 'post0', choices: [0] }),
    step('bob', 'reblog', { target: 'post0', label: 'boost6', visibility: 'public' }),
    step('bob', 'addToList', { thing: 'list0', target: 'ada' }),
  ],
)

const idOf = (label: string): string => world.posts.get(label)?.id as string
const uriOf = (label: string): string => world.posts.get(label)?.uri as string
const ids = (name: string): string => world.accountId('alpha', name)

/** Returns how to undo it. */
type Falsify = () => Promise<() => unknown>

const rows =
  (place: Place, falsify: () => string, undo: () => string): Falsify =>
  async () => {
    const { database } = world.network[place]
    await database.raw(falsify())
    return () => database.raw(undo())
  }

const frame =
  (name: string, event: string, payload: object): Falsify =>
  async () => {
    const frames = world.streams.get(name)?.frames ?? []
    const added = { stream: ['user'], event, payload: JSON.stringify(payload) }
    frames.push(added)
    return () =>
      frames.splice(
        frames.findIndex((one) => one === added),
        1,
      )
  }

/** Changes the JSON of responses to these requests. */
const responses =
  (path: RegExp, change: (json: any) => any): Falsify =>
  async () => {
    const original = getGlobalDispatcher()
    setGlobalDispatcher(
      original.compose(
        (dispatch) => (request, handler) =>
          dispatch(request, path.test(request.path) ? withJson(handler, change) : handler),
      ),
    )
    return () => setGlobalDispatcher(original)
  }

function withJson(handler: Dispatcher.DispatchHandler, change: (json: any) => any): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  let isGood = false
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, message) {
      isGood = status < 300
      handler.onResponseStart?.(controller, status, headers, message)
    },
    onResponseData: (_controller, chunk) => void chunks.push(chunk),
    onResponseEnd(controller, trailers) {
      const body = Buffer.concat(chunks)
      const changed = isGood ? Buffer.from(JSON.stringify(change(JSON.parse(body.toString())))) : body
      handler.onResponseData?.(controller, changed)
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

const withAll =
  (changes: object) =>
  (list: object[]): object[] =>
    list.map((one) => ({ ...one, ...changes }))
const withoutFirst = (list: unknown[]): unknown[] => list.slice(1)
const ofPost = (label: string): string => `status_id = ${idOf(label)}`
const entry = (id: string, author: string): string =>
  `insert into home_feed (account_id, status_id, original_id, author_id) values (${ids('bob')}, ${id}, ${id}, ${ids(author)})`
const withoutEntry = (id: string): string =>
  `delete from home_feed where account_id = ${ids('bob')} and original_id = ${id}`

const FALSIFIED: Record<string, Falsify> = {
  async noRequestFails() {
    world.sent.push({ by: 'ada', method: 'GET', path: '/', json: null, status: 500, text: '' })
    return () => world.sent.pop()
  },
  async mostActsSucceed() {
    const { sent } = world
    world.sent = sent.map((one) => ({ ...one, status: 404 }))
    return () => (world.sent = sent)
  },
  noJobFails: rows(
    'alpha',
    () => `insert into pgboss.job (name, state) values ('polls.tell', 'failed')`,
    () => `delete from pgboss.job where state = 'failed'`,
  ),
  streamsHideHiddenPosts: frame('cleo', 'update', { id: '1', content: wordOf(1, 0) }),
  streamsShowTheNewest: frame('bob', 'update', { id: '1', content: 'gone' }),
  async streamsHaveAllEntries() {
    const frames = world.streams.get('bob')?.frames ?? []
    const at = frames.findIndex(
      ({ event, payload }) => event === 'update' && payload?.includes(`"id":"${idOf('post1')}"`),
    )
    const removed = frames.splice(at, 1)
    return () => frames.splice(at, 0, ...removed)
  },
  async streamsShowConversations() {
    const [{ id }] = await world.person('bob').get('/api/v1/conversations')
    return frame('bob', 'conversation', { id, last_status: null, unread: true })()
  },
  countersMatchRows: rows(
    'alpha',
    () => `update status_stats set favourites_count = favourites_count + 1 where ${ofPost('post0')}`,
    () => `update status_stats set favourites_count = favourites_count - 1 where ${ofPost('post0')}`,
  ),
  pollsMatchVotes: rows(
    'alpha',
    () => `update polls set voters_count = voters_count + 1 where ${ofPost('post0')}`,
    () => `update polls set voters_count = voters_count - 1 where ${ofPost('post0')}`,
  ),
  rowsPointToRows: rows(
    'beta',
    () => `insert into home_feeds (account_id) values (1)`,
    () => `delete from home_feeds where account_id = 1`,
  ),
  rowsDoNotContradict: rows(
    'alpha',
    () => `insert into endorsements (account_id, target_account_id) values (${ids('cleo')}, ${ids('dan')})`,
    () => `delete from endorsements`,
  ),
  serversAgreeOnPeople: rows(
    'alpha',
    () => `insert into blocks (account_id, target_account_id) values (${ids('cleo')}, ${ids('gus')})`,
    () => `delete from blocks`,
  ),
  serversAgreeOnInteractions: rows(
    'alpha',
    () => `insert into favourites (account_id, status_id) values (${ids('gus')}, ${idOf('post0')})`,
    () => `delete from favourites where account_id = ${ids('gus')}`,
  ),
  copiesEqualPosts: rows(
    'beta',
    () => `update statuses set language = 'de' where uri = '${uriOf('post0')}'`,
    () => `update statuses set language = 'en' where uri = '${uriOf('post0')}'`,
  ),
  groupsHaveAllNotifications: responses(/^\/api\/v2\/notifications\?/, ({ notification_groups: groups, ...more }) => ({
    ...more,
    notification_groups: withoutFirst(groups),
  })),
  notificationsHaveCauses: rows(
    'alpha',
    () => `update favourites set account_id = ${ids('gus')} where account_id = ${ids('eve')}`,
    () => `update favourites set account_id = ${ids('eve')} where account_id = ${ids('gus')}`,
  ),
  pagesAreComplete: responses(/^\/api\/v1\/timelines\/public\?limit=40$/, withoutFirst),
  relationshipsMatchRows: responses(/^\/api\/v1\/accounts\/relationships/, withAll({ muting: true })),
  accountsMatchRows: responses(/^\/api\/v1\/accounts\/\d+$/, (account) => ({ ...account, display_name: 'Mallory' })),
  profilesAgree: rows(
    'beta',
    () => `update accounts set display_name = 'Mallory' where username = 'ada'`,
    () => `update accounts set display_name = 'Ada' where username = 'ada'`,
  ),
  collectionsAgree: rows(
    'beta',
    () => `update collections set name = 'other'`,
    () => `update collections set name = 'collection0'`,
  ),
  statusesMatchRows: responses(/^\/api\/v1\/statuses\?/, withAll({ favourites_count: 7 })),
  pollsShowVotes: responses(/^\/api\/v1\/polls\//, (poll) => ({ ...poll, own_votes: [2] })),
  conversationsShowTheirNewestPost: responses(/^\/api\/v1\/conversations/, withAll({ last_status: null })),
  timelinesShowWhatTheyShould: responses(/^\/api\/v1\/timelines\/tag\/rain/, withoutFirst),
  listsShowMembers: responses(/^\/api\/v1\/timelines\/list\//, withoutFirst),
  threadsAreComplete: responses(/\/context$/, (thread) => ({
    ...thread,
    descendants: withoutFirst(thread.descendants),
  })),
  homesShowNothingElse: rows(
    'alpha',
    () => entry(idOf('post2'), 'dan'),
    () => withoutEntry(idOf('post2')),
  ),
  countsMatchLists: responses(/^\/api\/v2\/notifications\/policy/, (policy) => ({
    ...policy,
    summary: { pending_requests_count: 7, pending_notifications_count: 7 },
  })),
  hiddenPostsStayHidden: rows(
    'alpha',
    () => `update statuses set visibility = 'public' where id = ${idOf('post1')}`,
    () => `update statuses set visibility = 'private' where id = ${idOf('post1')}`,
  ),
  async hiddenAccountsStayHidden() {
    const block = rows(
      'alpha',
      () => `insert into blocks (account_id, target_account_id) values (${ids('cleo')}, ${ids('dan')})`,
      () => `delete from blocks`,
    )
    const undo = [await block(), await responses(/^\/api\/v1\/directory/, withAll({ username: 'dan' }))()]
    return () => Promise.all(undo.map((each) => each()))
  },
  async answersEqualThoseAfterRestart() {
    let count = 0
    return responses(/verify_credentials/, (account) => ({ ...account, followers_count: ++count }))()
  },
  storedHomesHaveNoDeletedPosts: rows(
    'alpha',
    () => entry('1', 'ada'),
    () => withoutEntry('1'),
  ),
  // The invariant itself undoes it.
  homeEqualsRebuiltHome: rows(
    'alpha',
    () => withoutEntry(idOf('post0')),
    () => 'select 1',
  ),
  // As above.
  searchIndexEqualsRebuiltIndex: rows(
    'alpha',
    () => `delete from status_search where status_id = ${idOf('post0')}`,
    () => 'select 1',
  ),
}

test('every invariant has something that breaks it', () => {
  assert.deepEqual(Object.keys(FALSIFIED), Object.keys(INVARIANTS))
})

/**
 * What the invariants that take long say of what is falsified. When they say nothing else, one look shows both that they hold
 * otherwise and that they notice.
 */
const FOUND: Partial<Record<keyof typeof FALSIFIED, RegExp>> = {
  groupsHaveAllNotifications: /: (\d+ notifications, \d+ in groups|the unread_count of groups is \d+, there are \d+)$/,
  pagesAreComplete: /GET \/api\/v1\/timelines\/public by/,
  accountsMatchRows: /display_name is "Mallory"/,
  timelinesShowWhatTheyShould: /GET \/api\/v1\/timelines\/tag\/rain\?/,
  threadsAreComplete: /descendants/,
  hiddenPostsStayHidden: /of private post1 by ada$/,
  hiddenAccountsStayHidden: /GET \/api\/v1\/directory\S* shows dan/,
  answersEqualThoseAfterRestart: /GET \/api\/v1\/accounts\/verify_credentials:/,
  homeEqualsRebuiltHome: /^bob: only the /,
}

for (const [name, falsify] of Object.entries(FALSIFIED))
  test(`${name} holds, and notices what is wrong`, async () => {
    const check = INVARIANTS[name] as (typeof INVARIANTS)[string]
    const expected = FOUND[name]
    if (!expected) assert.deepEqual(await check(world), [])
    const undo = await falsify()
    try {
      const problems = await check(world)
      assert.notDeepEqual(problems, [])
      if (expected) for (const problem of problems) assert.match(problem, expected)
    } finally {
      await undo()
    }
  })
