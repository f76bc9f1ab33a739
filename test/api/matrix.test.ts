// The effect of blocks, mutes and moderation on each group of endpoints: one table, every cell of which is tested.
// Two accounts, me and x: x is local or remote, a friend (we follow each other) or an outsider.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publishStatus, reblog, favourite, block, authorizeFollow, follow } from '../support/acts.ts'
import { sql, newId } from '../support/database.ts'
import { Forbidden, NotFound, type StatusDraft } from '../support/internals.ts'
import { listen, type Listening } from '../streaming/listen.ts'
import { makeDevice, startPushService } from '../support/push.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, idsOf, post } from '../support/timelines.ts'

const CONDITIONS = [
  'nothing',
  'I block x',
  'x blocks me',
  'I mute x',
  'I block the domain',
  'suspended',
  'silenced',
] as const
type Condition = (typeof CONDITIONS)[number]
type Relationship = 'friend' | 'outsider'
type Origin = 'local' | 'remote'

type World = {
  name: string
  condition: Condition
  origin: Origin
  relationship: Relationship
  me: Person
  /** `person` only if x is local. */
  x: { id: string; username: string; domain: string | null; person: Person | null }
  word: string
  list: string
  /** By x: a post with a hashtag, a link and a word. */
  said: string
  /** By x, mentioning me, posted after the condition was applied. */
  fresh: string
  /** By zoe: x replies to it, quotes, favourites and boosts it. */
  root: string
  replyByX: string
  quote: string
  /** Zoe's reply to `said`. */
  replyByZoe: string
  postByWim: string
  /** By x, of `postByWim`. */
  boostByX: string
  /** By zoe, of `said`. */
  boostByZoe: string
  live: Listening
}

// Zoe and x follow each other, I follow Zoe; Wim has no followers.
const LINK = 'https://site.test/'

const { server, zoe, wim } = await stage({ accounts: ['zoe', 'wim'] })
const service = await startPushService()
/** Each condition with each origin and each relationship, and each of them with the other, but not all three. */
const combinations = CONDITIONS.flatMap((condition, n) => {
  const [one, other] = n % 2 === 0 ? (['friend', 'outsider'] as const) : (['outsider', 'friend'] as const)
  return [
    { condition, origin: condition === 'I block the domain' ? 'remote' : 'local', relationship: one } as const,
    { condition, origin: 'remote', relationship: other } as const,
  ]
})
const worlds = await Promise.all(combinations.map(build))
await server.drain()
for (const world of worlds) await apply(world)
await server.drain()
await Promise.all(worlds.map(postFresh))
await server.drain()
after(() => service.stop())

/** Publishes a status by x, whether x is local or remote. */
async function write(x: World['x'], draft: Partial<StatusDraft>): Promise<string> {
  const uri = x.domain === null ? null : `https://${x.domain}/notes/${newId()}`
  const local = x.domain === null
  return (
    await publishStatus(server.ctx, {
      accountId: x.id,
      local,
      visibility: 'public',
      content: '<p>hm</p>',
      uri,
      url: uri,
      quotePolicy: 0,
      ...draft,
    })
  ).id
}

async function build(
  { condition, origin, relationship }: Pick<World, 'condition' | 'origin' | 'relationship'>,
  n: number,
): Promise<World> {
  const [me, person] = await Promise.all([server.person(`me${n}`), origin === 'local' ? server.person(`x${n}`) : null])
  const domain = person ? null : `d${n}.test`
  const x = {
    id: person?.id ?? (await remoteAccount(server, `x${n}`, domain as string)),
    username: `x${n}`,
    domain,
    person,
  }
  const { ctx } = server
  await ctx.db.run(sql`update accounts set discoverable = true, indexable = true where id = ${x.id}`)
  const follows = async (accountId: string, targetAccountId: string): Promise<void> => {
    if ((await follow(ctx, { accountId, targetAccountId })) === 'requested')
      await authorizeFollow(ctx, { accountId: targetAccountId, followerId: accountId })
  }
  for (const [one, other] of [
    [zoe, x],
    [x, zoe],
    [me, zoe],
    ...(relationship === 'friend'
      ? [
          [me, x],
          [x, me],
        ]
      : []),
  ] as [Person, Person][])
    await follows(one.id, other.id)
  const word = `w${n}ord`
  const said = await write(x, { content: `<p>${word} #${word} ${LINK}${n}</p>`, text: word, tags: [word] })
  await ctx.db.run(sql`
    with card as (insert into preview_cards (link, url, title, fetched_at) values (${LINK + n}, ${LINK + n}, 'Site', now()) returning id)
    update statuses set card_id = card.id from card where statuses.id = ${said}`)
  const root = await post(zoe, 'root')
  const replyByX = await write(x, { inReplyToId: root })
  const quote = await write(x, { quote: { statusId: root, uri: null, state: 'accepted' } })
  const replyByZoe = await post(zoe, 'an answer to x', { in_reply_to_id: said })
  const postByWim = await post(wim, 'by wim')
  await favourite(ctx, x.id, root)
  for (const id of [root, postByWim]) await reblog(ctx, { accountId: x.id, statusId: id })
  const { id: boostByX } = await reblog(ctx, { accountId: x.id, statusId: postByWim })
  const boostByZoe = await boost(zoe, said)
  const { id: list } = await me.post('/api/v1/lists', { title: 'people' })
  if (relationship === 'friend') {
    await me.post(`/api/v1/lists/${list}/accounts`, { account_ids: [x.id] })
    await me.post(`/api/v1/accounts/${x.id}/endorse`)
  }
  await write(x, { content: '<p>before</p>', mentionIds: [me.id] })
  await me.get('/api/v1/timelines/home')
  const alerts = { mention: true }
  await me.post('/api/v1/push/subscription', {
    subscription: { endpoint: `${service.url}/${n}`, keys: makeDevice().keys, standard: true },
    data: { alerts },
  })
  const live = await listen(server, {
    token: me.token,
    streams: ['user', 'public', 'user:notification', { stream: 'hashtag', tag: word }, { stream: 'list', list }],
  })
  const name = `${condition}, x is ${origin}, ${relationship}`
  return {
    name,
    condition,
    origin,
    relationship,
    me,
    x,
    word,
    list,
    said,
    fresh: '',
    root,
    replyByX,
    quote,
    replyByZoe,
    postByWim,
    boostByX,
    boostByZoe,
    live,
  }
}

/** Applies the condition of a world. */
async function apply({ condition, me, x }: World): Promise<void> {
  if (condition === 'I block x') await me.post(`/api/v1/accounts/${x.id}/block`)
  if (condition === 'I mute x') await me.post(`/api/v1/accounts/${x.id}/mute`)
  if (condition === 'I block the domain') await me.post('/api/v1/domain_blocks', { domain: x.domain })
  if (condition === 'x blocks me' && x.person) await x.person.post(`/api/v1/accounts/${me.id}/block`)
  if (condition === 'x blocks me' && !x.person)
    await block(server.ctx, { accountId: x.id, targetAccountId: me.id, uri: `https://${x.domain}/blocks/1` })
  if (condition === 'suspended')
    await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${x.id}`)
  if (condition === 'silenced') await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${x.id}`)
}

/** X posts, then zoe: once the post of zoe has arrived on the streams, so has that of x, if it is sent at all. */
async function postFresh(world: World): Promise<void> {
  const { me, x, word, live } = world
  const fresh = { content: `<p>fresh #${word} @${me.username}</p>`, tags: [word], mentionIds: [me.id] }
  // A suspended account cannot post: only its earlier post exists.
  if (world.condition === 'suspended') await assert.rejects(write(x, fresh), NotFound)
  world.fresh = world.condition === 'suspended' ? world.said : await write(x, fresh)
  const last = await post(zoe, `@${me.username} over #${word}`)
  for (const stream of ['user', 'public', `hashtag:${word}`])
    await live.next(
      (frame) =>
        frame.event === 'update' &&
        frame.stream?.join(':') === stream &&
        JSON.parse(frame.payload as string).id === last,
    )
  await live.next(
    (frame) =>
      frame.event === 'notification' &&
      frame.stream?.join(':') === 'user:notification' &&
      JSON.parse(frame.payload as string).status?.id === last,
  )
}

// The rows ------------------------------------------------------------------------------------------------------------

/** Returns the content of a cell: `+` for present, `-` for absent, or a value from the response. */
type Observe = (world: World) => Promise<string>
type Row = { name: string; relationship?: Relationship; cells: Record<Condition, string>; observe: Observe }

/** `cells` are in the order of the conditions. */
function row(name: string, cells: string, observe: Observe, relationship?: Relationship): Row {
  const given = cells.trim().split(/\s+/)
  assert.equal(given.length, CONDITIONS.length, name)
  return {
    name,
    observe,
    cells: Object.fromEntries(CONDITIONS.map((condition, i) => [condition, given[i]])) as Row['cells'],
    ...(relationship ? { relationship } : {}),
  }
}
const friend = (name: string, cells: string, observe: Observe): Row => row(name, cells, observe, 'friend')
const outsider = (name: string, cells: string, observe: Observe): Row => row(name, cells, observe, 'outsider')

const sign = (there: boolean): string => (there ? '+' : '-')
type Wanted = (world: World) => string | string[]
/** Whether a listing contains all wanted ids (`+`), none of them (`-`), or some. */
const lists =
  (path: (world: World) => string, wanted: Wanted): Observe =>
  async (world) =>
    among(await idsOf(world.me, path(world)), wanted(world))
function among(ids: readonly string[], wanted: string | string[]): string {
  const there = [wanted].flat().map((id) => ids.includes(id))
  return there.every((each) => each === there[0]) ? sign(there[0] as boolean) : 'some'
}
/** Searches all pages of the home timeline: posts by Zoe fill several. */
const inHome =
  (wanted: Wanted): Observe =>
  async (world) => {
    const ids: string[] = []
    for (;;) {
      const page = await idsOf(
        world.me,
        `/api/v1/timelines/home?limit=40${ids.length > 0 ? `&max_id=${ids.at(-1)}` : ''}`,
      )
      if (page.length === 0) return among(ids, wanted(world))
      ids.push(...page)
    }
  }
const status =
  (method: string, path: (world: World) => string, json?: (world: World) => object): Observe =>
  async (world) =>
    String((await world.me.send(method, path(world), json ? { json: json(world) } : {})).status)
const posts: Wanted = ({ said, fresh }) => [said, fresh]
const x: Wanted = (world) => world.x.id
const acting = (action: string): Observe => status('POST', ({ said }) => `/api/v1/statuses/${said}/${action}`)
const streamed =
  (stream: string): Observe =>
  async ({ live, fresh }) =>
    sign(
      live.frames.some(({ stream: at, payload }) => {
        const shown = at?.[0] === stream && payload !== undefined ? JSON.parse(payload) : null
        return shown?.id === fresh || shown?.status?.id === fresh
      }),
    )

// oxfmt-ignore
const TABLE: Row[] = [
  //                                                          nothing  block  blocked  mute  domain  susp.  silenced
  friend('home: posts by x', '                                   +        -      -       -     -       -      +', inHome(posts)),
  friend('home: boosts by x', '                                  +        -      -       -     -       -      +', inHome(({ boostByX }) => boostByX)),
  outsider('home: a post by x, boosted by a friend', '           +        -      -       -     -       -      -', inHome(({ boostByZoe }) => boostByZoe)),
  friend('list: posts by x', '                                   +        -      -       -     -       -      +', lists(({ list }) => `/api/v1/timelines/list/${list}`, posts)),
  friend('list: boosts by x', '                                  +        -      -       -     -       -      +', lists(({ list }) => `/api/v1/timelines/list/${list}`, ({ boostByX }) => boostByX)),
  row('public timeline', '                                       +        -      -       -     -       -      -', publicTimeline),
  row('hashtag timeline', '                                      +        -      -       -     -       -      -', lists(({ word }) => `/api/v1/timelines/tag/${word}`, posts)),
  row('link timeline', '                                         +        -      -       -     -       -      -', lists((world) => `/api/v1/timelines/link?url=${LINK}${worlds.indexOf(world)}`, ({ said }) => said)),
  row('account', '                                               200      200    200     200   200     410    200', status('GET', (world) => `/api/v1/accounts/${world.x.id}`)),
  row('relationship and account flags', '                        -        blocking blocked_by muting,muting_notifications domain_blocking suspended limited', flagsOfX),
  row('account: posts', '                                        +        +      -       +     +       -      +', lists((world) => `/api/v1/accounts/${world.x.id}/statuses`, posts)),
  row('post', '                                                  200      200    404     200   200     404    200', status('GET', ({ said }) => `/api/v1/statuses/${said}`)),
  row('thread: replies by x', '                                  +        -      -       -     -       -      ?', inThread('descendants')),
  row('thread: ancestors by x', '                                +        -      -       -     -       -      ?', inThread('ancestors')),
  row('quotes of a post', '                                      +        -      -       -     -       -      ?', lists(({ root }) => `/api/v1/statuses/${root}/quotes`, ({ quote }) => quote)),
  row('followers of a third account', '                          +        -      -       -     -       -      +', lists(() => `/api/v1/accounts/${zoe.id}/followers?limit=80`, x)),
  row('follows of a third account', '                            +        -      -       -     -       -      +', lists(() => `/api/v1/accounts/${zoe.id}/following?limit=80`, x)),
  row('accounts that boosted a post', '                          +        -      -       -     -       -      +', lists(({ root }) => `/api/v1/statuses/${root}/reblogged_by`, x)),
  row('accounts that favourited a post', '                       +        -      -       -     -       -      +', lists(({ root }) => `/api/v1/statuses/${root}/favourited_by`, x)),
  row('directory', '                                             +        -      -       -     -       -      -', lists(() => '/api/v1/directory?limit=80&order=new', x)),
  outsider('suggestions', '                                      +        -      -       -     -       -      -', suggested),
  row('notifications', '                                         +        -      -       -     -       -      ?', notified(({ fresh }) => fresh)),
  row('notifications, filtered ones included', '                 +        -      -       -     -       -      +', notified(({ fresh }) => fresh, 'include_filtered=true')),
  row('grouped notifications', '                                 +        -      -       -     -       -      ?', notifiedGrouped),
  outsider('notification requests', '                            -        -      -       -     -       -      +', requested),
  row('push messages', '                                         2        1      1       1     1       1      ?', pushed),
  friend('streaming: home', '                                    +        -      -       -     -       -      +', streamed('user')),
  friend('streaming: list', '                                    +        -      -       -     -       -      +', streamed('list')),
  row('streaming: public', '                                     +        -      -       -     -       -      -', streamed('public')),
  row('streaming: hashtag', '                                    +        -      -       -     -       -      -', streamed('hashtag')),
  row('streaming: notifications', '                              +        -      -       -     -       -      ?', streamed('user:notification')),
  friend('accounts I follow', '                                  +        -      -       +     -       -      +', lists(({ me }) => `/api/v1/accounts/${me.id}/following`, x)),
  friend('accounts that follow me', '                            +        -      -       +     -       -      +', lists(({ me }) => `/api/v1/accounts/${me.id}/followers`, x)),
  friend('list members', '                                       +        -      -       +     -       -      +', lists(({ list }) => `/api/v1/lists/${list}/accounts`, x)),
  friend('endorsements', '                                       +        -      -       +     -       -      +', lists(() => '/api/v1/endorsements', x)),
  friend('endorsements on my profile', '                         +        -      -       +     -       -      +', lists(({ me }) => `/api/v1/accounts/${me.id}/endorsements`, x)),
  row('search: accounts', '                                      +        +      +       +     +       -      +', found('accounts', (world) => world.x.username, x)),
  row('search: posts', '                                         +        -      -       -     -       -      +', found('statuses', ({ word }) => word, ({ said }) => said)),
  // Rows that change data come last.
  row('favourite a post', '                                      200      200    404     200   200     404    200', acting('favourite')),
  row('boost a post', '                                          200      200    404     200   200     404    200', acting('reblog')),
  row('bookmark a post', '                                       200      200    404     200   200     404    200', acting('bookmark')),
  row('reply to a post', '                                       200      200    404     200   200     404    200', status('POST', () => '/api/v1/statuses', ({ said }) => ({ status: 'so', in_reply_to_id: said }))),
  outsider('follow x', '                                         200      403    403     200   403     404    200', status('POST', (world) => `/api/v1/accounts/${world.x.id}/follow`)),
  outsider('x follows me', '                                     following refused refused following refused refused requested', followsMe),
]

/** The cells that depend on whether I follow x. */
const BY_RELATIONSHIP: Record<string, [friend: string, outsider: string]> = {
  '?': ['+', '-'],
  'push messages ?': ['2', '1'],
}
function expected({ name, cells }: Row, { condition, relationship }: World): string {
  const cell = cells[condition]
  const variants = BY_RELATIONSHIP[`${name} ${cell}`] ?? BY_RELATIONSHIP[cell]
  return variants ? variants[relationship === 'friend' ? 0 : 1] : cell
}

/** Asks for each post by its position, since all worlds post to the public timeline. */
async function publicTimeline({ me, said, fresh }: World): Promise<string> {
  const around = async (id: string): Promise<boolean> =>
    (await idsOf(me, `/api/v1/timelines/public?limit=1&max_id=${BigInt(id) + 1n}`)).includes(id)
  const ids = (await Promise.all([said, fresh].map(async (id) => ((await around(id)) ? [id] : [])))).flat()
  return among(ids, [said, fresh])
}

async function flagsOfX({ me, x: { id } }: World): Promise<string> {
  const [relationship] = await me.get(`/api/v1/accounts/relationships?id[]=${id}&with_suspended=true`)
  const [account] = await me.get(`/api/v1/accounts?id[]=${id}`)
  const flags = ['blocking', 'blocked_by', 'muting', 'muting_notifications', 'domain_blocking'].filter(
    (flag) => relationship[flag],
  )
  return [...flags, ...['suspended', 'limited'].filter((flag) => account[flag])].join(',') || '-'
}

function inThread(part: 'ancestors' | 'descendants'): Observe {
  return async ({ me, root, replyByX, replyByZoe, said }) => {
    const thread = await me.get(`/api/v1/statuses/${part === 'descendants' ? root : replyByZoe}/context`)
    return sign(thread[part].some(({ id }: { id: string }) => id === (part === 'descendants' ? replyByX : said)))
  }
}

async function suggested({ me, x: { id } }: World): Promise<string> {
  const suggestions: { account: { id: string } }[] = await me.get('/api/v2/suggestions?limit=80')
  return sign(suggestions.some(({ account }) => account.id === id))
}

function notified(about: (world: World) => string, query = ''): Observe {
  return async (world) => {
    const notifications: any[] = await world.me.get(`/api/v1/notifications?limit=80&${query}`)
    return sign(notifications.some((each) => each.status?.id === about(world)))
  }
}

async function notifiedGrouped({ me, fresh }: World): Promise<string> {
  const { notification_groups: groups } = await me.get('/api/v2/notifications')
  return sign(groups.some((group: any) => group.status_id === fresh))
}

async function requested({ me, x: { id } }: World): Promise<string> {
  const requests: any[] = await me.get('/api/v1/notifications/requests')
  return sign(requests.some(({ account }) => account.id === id))
}

/** The number of pushes: the post by zoe, and possibly the fresh post by x. */
async function pushed(world: World): Promise<string> {
  const all = service.received.filter(({ path }) => path === `/${worlds.indexOf(world)}`)
  return String(all.length)
}

function found(type: 'accounts' | 'statuses', q: (world: World) => string, wanted: Wanted): Observe {
  return async (world) => {
    const results = (await world.me.get(`/api/v2/search?type=${type}&limit=40&q=${q(world)}`))[type] as { id: string }[]
    return sign(results.some(({ id }) => id === wanted(world)))
  }
}

async function followsMe({ me, x: { id, person } }: World): Promise<string> {
  if (!person)
    return follow(server.ctx, {
      accountId: id,
      targetAccountId: me.id,
      uri: `https://far.test/follows/${newId()}`,
    }).catch((error: unknown) => (error instanceof Forbidden ? 'refused' : String(error)))
  const answer = await person.send('POST', `/api/v1/accounts/${me.id}/follow`)
  if (answer.status !== 200) return answer.status === 403 ? 'refused' : String(answer.status)
  return answer.json.following ? 'following' : 'requested'
}

for (const each of TABLE)
  test(each.name, async () => {
    const wrong: string[] = []
    for (const world of worlds) {
      if (each.relationship && each.relationship !== world.relationship) continue
      const observed = await each.observe(world)
      if (observed !== expected(each, world))
        wrong.push(`${world.name}: ${observed} instead of ${expected(each, world)}`)
    }
    assert.deepEqual(wrong, [])
  })

test('accounts I follow still notify me from a blocked domain', async () => {
  const world = worlds.find(
    ({ condition, relationship }) => condition === 'I block the domain' && relationship === 'outsider',
  ) as World
  await server.ctx.db.run(
    sql`insert into follows (account_id, target_account_id) values (${world.me.id}, ${world.x.id})`,
  )
  const id = await write(world.x, { mentionIds: [world.me.id] })
  assert.equal(await notified(() => id)(world), '+')
})
