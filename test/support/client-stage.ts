// A server in use by people: each screen of the web client has something to show, of every shape that is hard to lay out.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAnnouncement } from '../../src/actions/announcements/announce.ts'
import { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
import { createEmoji } from '../../src/actions/emojis/manage.ts'
import sharp from 'sharp'
import { createCollection } from './collections.ts'
import { sql } from './database.ts'
import { pngOf } from './images.ts'
import { canMakeVideos, makeVideo } from './media-files.ts'
import { remoteAccount } from './remote.ts'
import type { Person, TestServer } from './server.ts'

export type ClientStage = {
  /** The account that sees all of it. */
  viewer: Person
  friend: Person
  /** By the paths of `client/src/app/screens.tsx`: addresses that have something to show. Some paths have several. */
  addresses: Readonly<Record<string, readonly string[]>>
}

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

type Post = { id: string; url: string }
const post = (person: Person, status: string, more: object = {}): Promise<Post> =>
  person.post('/api/v1/statuses', { status, ...more }) as Promise<Post>

/** Call it on an empty server. */
export async function clientStage(server: TestServer): Promise<ClientStage> {
  const viewer = await server.person('ada', { role: 'owner' })
  const [friend, cleo, dora] = [
    await server.person('ben'),
    await server.person('cleopatra_of_the_long_handle'),
    await server.person('dora'),
  ]
  await decorate(server, viewer, friend, cleo)
  for (const person of [friend, cleo]) {
    await viewer.post(`/api/v1/accounts/${person.id}/follow`, { notify: true })
    await person.post(`/api/v1/accounts/${viewer.id}/follow`)
    await viewer.post(`/api/v1/follow_requests/${person.id}/authorize`)
  }
  const first = await writePosts(server, viewer, friend, cleo)
  await notify(server, { viewer, friend, cleo, dora }, first)
  const own = await organise(server, { viewer, friend, dora }, first.id)
  await server.drain()
  const { notification_groups: groups } = await viewer.get('/api/v2/notifications')
  const group = groups.find(({ type }: { type: string }) => type === 'favourite').group_key as string
  return { viewer, friend, addresses: addressesOf(first.id, { ...own, group }) }
}

const addressesOf = (
  statusId: string,
  { list, filter, collection, group }: Own & { group: string },
): ClientStage['addresses'] => ({
  '/public/:scope?': ['/public/local'],
  '/tags/:tag': ['/tags/birds'],
  '/links': ['/links?url=https%3A%2F%2Fexample.org%2Fnews'],
  '/lists/:id': [`/lists/${list}`],
  '/lists/:id/edit': [`/lists/${list}/edit`],
  '/filters/:id/edit': [`/filters/${filter}/edit`],
  '/collections/:id': [`/collections/${collection}`],
  '/collections/:id/edit': [`/collections/${collection}/edit`],
  '/annual_report/:year': ['/annual_report/2024'],
  '/explore/:tab?': ['/explore', '/explore/tags', '/explore/links', '/explore/people'],
  '/notifications/:group/accounts': [`/notifications/${group}/accounts`],
  '/notifications/:filter?': ['/notifications'],
  '/:handle/:rest*': [
    '/@ben',
    '/@ben/media',
    '/@ben/featured',
    '/@ada/followers',
    '/@cleopatra_of_the_long_handle',
    `/@ben/${statusId}`,
    `/@ben/${statusId}/history`,
    `/@ben/${statusId}/favourites`,
    '/@missing',
  ],
})

async function decorate(server: TestServer, viewer: Person, friend: Person, cleo: Person): Promise<void> {
  const path = join(server.ctx.config.dataDir, 'wren.png')
  const { size } = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#e9a03a' } })
    .png()
    .toFile(path)
  const emoji = { shortcode: 'wren', category: 'Birds', aliases: [], visibleInPicker: true }
  await createEmoji(server.ctx, viewer.id, emoji, { path, size })
  await describe(
    viewer,
    { display_name: 'Ada', note: 'Runs this place.', locked: 'true', 'source[privacy]': 'public' },
    '#453aa0',
  )
  const fields = {
    'fields_attributes[0][name]': 'Web site',
    'fields_attributes[0][value]': `https://example.org/${'a-long-path/'.repeat(6)}`,
    'fields_attributes[1][name]': LONG_WORD,
    'fields_attributes[1][value]': 'Wrens, robins and the occasional heron :wren:',
  }
  const name = 'Benjamin MWMWMWMWMWMW :wren:'
  await describe(
    friend,
    { display_name: name, note: 'Small, brown, loud. #birds\n\nSecond paragraph.', discoverable: 'true', ...fields },
    '#2b7a4b',
  )
  await describe(cleo, { display_name: 'كليوباترا السابعة', note: 'ملكة مصر' }, '#a0453a')
}

async function describe(person: Person, fields: Record<string, string>, color: string): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('avatar', new Blob([new Uint8Array(await image(200, 200, color))], { type: 'image/png' }), 'avatar.png')
  form.set('header', new Blob([new Uint8Array(await image(900, 300, color))], { type: 'image/png' }), 'header.png')
  const { status, text } = await person.send('PATCH', '/api/v1/accounts/update_credentials', { form })
  if (status !== 200) throw new Error(text)
}

/** A field below a sun, so that crops and turns show. */
async function image(width: number, height: number, background: string): Promise<Buffer> {
  const rectangle = (across: number, down: number, color: string): Promise<Buffer> =>
    pngOf(Math.round(across), Math.round(down), color)
  const sun = Math.min(width, height) / 3
  const [field, light] = [await rectangle(width, height / 4, '#1d1c25'), await rectangle(sun, sun, '#f6e3a1')]
  return sharp({ create: { width, height, channels: 3, background } })
    .composite([{ input: field, gravity: 'south' }, { input: light }])
    .png()
    .toBuffer()
}

async function upload(person: Person, file: Buffer, type: string, description: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)], { type }), type.replace('/', '.'))
  form.set('description', description)
  return (await person.send('POST', '/api/v2/media', { form })).json.id as string
}

const SHAPES = [
  [600, 400, '#3a6ea0'],
  [250, 550, '#7a4ba0'],
  [350, 350, '#a03a6e'],
  [800, 210, '#3aa08d'],
] as const

const imagesOf = (person: Person, count: number): Promise<string[]> =>
  Promise.all(
    SHAPES.slice(0, count).map(async ([width, height, color]) =>
      upload(person, await image(width, height, color), 'image/png', `The sun over a field, ${width} × ${height}`),
    ),
  )

/** Returns a thread's first post, with everything that a post may have. */
async function writePosts(server: TestServer, viewer: Person, friend: Person, cleo: Person): Promise<Post> {
  await post(friend, `One word: ${LONG_WORD.repeat(4)}`)
  await post(cleo, 'صباح الخير يا أصدقاء! هذا منشور باللغة العربية مع وسم #طيور ورابط https://example.org/a', {
    language: 'ar',
  })
  await post(friend, 'Four shapes', { media_ids: await imagesOf(friend, 4) })
  await post(friend, 'Three of them', { media_ids: await imagesOf(friend, 3) })
  await post(friend, 'A tall one', { media_ids: [(await imagesOf(friend, 2))[1]], sensitive: true })
  if (canMakeVideos) await postVideo(server, friend)
  await post(cleo, 'Hidden behind a warning', { spoiler_text: `Spoilers for a very long series about ${LONG_WORD}` })
  const options = ['Wren', 'Nightjar, because they sing when others are silent', 'Heron']
  const poll = await friend.post('/api/v1/statuses', { status: 'Which bird?', poll: { options, expires_in: 3600 } })
  await cleo.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [1] })
  await viewer.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [0] })
  await friend.post('/api/v1/statuses', {
    status: 'And tomorrow?',
    poll: { options, expires_in: 3600, multiple: true },
  })
  const card = await post(friend, 'Have you read https://example.org/news ?')
  const media_ids = await imagesOf(friend, 1)
  const first = await post(friend, 'A thread about #birds begins :wren: @ada', { media_ids })
  await friend.put(`/api/v1/statuses/${first.id}`, {
    status: 'A thread about #birds begins here :wren: @ada',
    media_ids,
  })
  const reply = await post(viewer, '@ben Tell us more', { in_reply_to_id: first.id })
  await post(friend, '@ada Gladly', { in_reply_to_id: reply.id })
  await post(cleo, '@ben Me too', { in_reply_to_id: first.id })
  await post(friend, 'More of it', { in_reply_to_id: first.id })
  await post(cleo, 'Quoted with pleasure', { quoted_status_id: first.id })
  const boosted = await post(await server.person('emil'), 'Worth a boost '.repeat(20))
  for (const person of [friend, cleo]) await person.post(`/api/v1/statuses/${boosted.id}/reblog`)
  await boostInARow(friend, await server.person('frida'))
  await viewer.post(`/api/v1/statuses/${first.id}/favourite`)
  await viewer.post(`/api/v1/statuses/${first.id}/bookmark`)
  await cleo.post(`/api/v1/statuses/${first.id}/favourite`)
  await server.drain()
  await makeTrends(server, card.id)
  return first
}

async function boostInARow(friend: Person, author: Person): Promise<void> {
  const [image] = await imagesOf(author, 1)
  const boosts = [
    await post(author, 'A short one'),
    await post(author, 'The view from here', { media_ids: [image] }),
    await post(author, 'A long one. '.repeat(30)),
    await post(author, `One word: ${LONG_WORD.repeat(2)}`, { spoiler_text: 'About words' }),
    await post(author, 'The last of five'),
  ]
  for (const { id } of boosts) await friend.post(`/api/v1/statuses/${id}/reblog`)
}

async function postVideo(server: TestServer, friend: Person): Promise<void> {
  const file = await makeVideo(server.ctx.config.dataDir, 'wren.mp4', { width: 160, height: 90, rate: 10 })
  const id = await upload(friend, await readFile(file), 'video/mp4', 'Moving colours')
  await server.drain()
  await post(friend, 'It moves', { media_ids: [id] })
}

/** Trends: a post with a link, the link, and the hashtag. */
async function makeTrends({ ctx }: TestServer, statusId: string): Promise<void> {
  await ctx.db.run(sql`insert into preview_card_providers (domain) values ('example.org') on conflict do nothing`)
  await ctx.db.run(sql`
    with card as (
      insert into preview_cards (link, url, type, title, description, hosts, provider_name, fetched_at, trendable)
      values ('https://example.org/news', 'https://example.org/news', 'link', 'News of the day, with a headline that goes on and on',
        'What happened, in so many words that it has to be cut off after two lines of text on a phone.', '{example.org}', 'Example', now(), true)
      on conflict (link) do update set title = excluded.title, description = excluded.description, provider_name = excluded.provider_name,
        hosts = excluded.hosts, type = excluded.type, fetched_at = now(), trendable = true returning id), days as (
      insert into link_days (card_id, day, uses, accounts) select id, current_date - n, 8 + n, 4 + n from card, generate_series(0, 6) n)
    insert into link_trends (card_id, peak, peak_at, score, rank, language) select id, 7, now(), 7, 1, 'en' from card`)
  await ctx.db.run(sql`
    update statuses set card_id = (select id from preview_cards where link = 'https://example.org/news') where id = ${statusId}`)
  await ctx.db.run(sql`
    with tag as (select id from tags where name = 'birds'), days as (
      insert into tag_days (tag_id, day, uses, accounts) select id, current_date - n, 10 + n, 5 + n from tag, generate_series(0, 6) n
      on conflict do nothing)
    insert into tag_trends (tag_id, peak, peak_at, score, rank, language) select id, 9, now(), 9, 1, 'en' from tag on conflict do nothing`)
  await ctx.db.run(sql`update tags set trendable = true where name = 'birds'`)
  await ctx.db.run(sql`update statuses set trendable = true where id = ${statusId}`)
  await ctx.db.run(sql`
    insert into status_trends (status_id, score, rank, language) values (${statusId}, 5, 1, 'en') on conflict do nothing`)
}

type People = { viewer: Person; friend: Person; cleo: Person; dora: Person }

/** Notifications of many types. */
async function notify(server: TestServer, { viewer, friend, cleo, dora }: People, first: Post): Promise<void> {
  const mine = await post(viewer, 'Good morning from the one who runs this place')
  for (const person of [friend, cleo, dora]) {
    await person.post(`/api/v1/statuses/${mine.id}/favourite`)
    await person.post(`/api/v1/statuses/${mine.id}/reblog`)
  }
  await post(friend, 'Look at this', { quoted_status_id: mine.id })
  await dora.post(`/api/v1/accounts/${viewer.id}/follow`)
  for (let number = 1; number <= 11; number += 1) {
    const fan = await server.person(`fan${number}`)
    await fan.post(`/api/v1/statuses/${mine.id}/favourite`)
  }
  await post(dora, 'Hello @ada, a private word', { visibility: 'direct' })
  await post(friend, `@ada Shall we meet? ${LONG_WORD}`, { visibility: 'direct' })
  await dora.post('/api/v1/reports', {
    account_id: friend.id,
    status_ids: [first.id],
    comment: 'Too loud',
    category: 'other',
  })
  await actOnAccount(server.ctx, viewer.id, { accountId: viewer.id, type: 'none', text: 'A note to myself.' }).catch(
    () => {},
  )
  const announcement = { startsAt: null, endsAt: null, allDay: false, mailsUsers: false, scheduledAt: null }
  await createAnnouncement(server.ctx, viewer.id, {
    ...announcement,
    text: 'We move to a faster machine tonight.',
    when: 'now',
  })
}

type Own = { list: string; filter: string; collection: string }

/** Data that only the viewer sees. Returns ids. */
async function organise(
  server: TestServer,
  { viewer, friend, dora }: Omit<People, 'cleo'>,
  first: string,
): Promise<Own> {
  const { id: list } = await viewer.post('/api/v1/lists', { title: 'Birds, and people who write about birds all day' })
  await viewer.post(`/api/v1/lists/${list}/accounts`, { account_ids: [friend.id] })
  const keywords = [{ keyword: 'robin', whole_word: true }]
  const wanted = {
    title: 'No robins',
    context: ['home', 'public'],
    filter_action: 'warn',
    keywords_attributes: keywords,
  }
  const { id: filter } = await viewer.post('/api/v2/filters', wanted)
  await post(dora, 'Nothing but a robin')
  await viewer.post('/api/v1/tags/birds/follow')
  await friend.post('/api/v1/featured_tags', { name: 'birds' })
  const later = new Date(Date.now() + 86_400_000).toISOString()
  await post(viewer, 'For tomorrow', { scheduled_at: later })
  const [blocked, muted] = [await server.person('blocked'), await server.person('muted')]
  await viewer.post(`/api/v1/accounts/${blocked.id}/block`)
  await viewer.post(`/api/v1/accounts/${muted.id}/mute`, { duration: 86_400 })
  await viewer.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  await viewer.post(`/api/v1/accounts/${friend.id}/endorse`)
  await viewer.post(`/api/v1/accounts/${friend.id}/note`, { comment: 'Met at the lake.' })
  const far = await remoteAccount(server, 'faraway', 'far.test', { display_name: 'Far Away' })
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${viewer.id}, ${far})`)
  const { id: collection } = await createCollection(viewer, {
    name: 'People who know their birds',
    account_ids: [friend.id],
  })
  await writeAnnualReport(server, viewer, first)
  return { list, filter, collection }
}

async function writeAnnualReport({ ctx }: TestServer, viewer: Person, best: string): Promise<void> {
  const months = Array.from({ length: 12 }, (_, index) => index + 1)
  const data = {
    archetype: 'oracle',
    time_series: months.map((month) => ({ month, statuses: (month * 37) % 90, following: 1, followers: 2 })),
    top_hashtags: [
      { name: 'birds', count: 42 },
      { name: LONG_WORD, count: 7 },
    ],
    top_statuses: { by_reblogs: best, by_favourites: null, by_replies: null },
  }
  await ctx.db.run(sql`
    insert into annual_reports (account_id, year, schema_version, data) values (${viewer.id}, 2024, 2, ${JSON.stringify(data)}::jsonb)`)
}
