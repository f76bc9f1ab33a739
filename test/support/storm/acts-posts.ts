// Acts of people on posts.
import { endPoll, publishNow } from '../jobs.ts'
import { smallImage } from '../freshness/change.ts'
import type { Acts, Draw, Given } from './plan.ts'
import { NAMES, type Post, type Visibility, wordOf, type World } from './world.ts'

const VISIBILITIES: readonly Visibility[] = ['public', 'public', 'public', 'unlisted', 'private', 'private', 'direct']
const POLICIES = ['public', 'public', 'public', 'followers', 'nobody']
export const TAGS = ['rain', 'snow', 'hail']

/** The parameters of a new post, beside its text. */
function drawContent(draw: Draw, by: string): Given {
  const visibility = draw.one(VISIBILITIES)
  const mentions = draw.chance(visibility === 'direct' ? 0.9 : 0.3) ? [draw.other(by)] : []
  if (mentions.length > 0 && draw.chance(0.3)) mentions.push(draw.other(by))
  return {
    visibility,
    mentions,
    ...(draw.chance(0.3) ? { tag: draw.one(TAGS) } : {}),
    ...(draw.chance(0.15) ? { spoiler: true } : {}),
    ...(draw.chance(0.3) ? { language: draw.one(['en', 'de']) } : {}),
    ...(draw.chance(0.3) ? { policy: draw.one(POLICIES) } : {}),
  }
}

/** Draws the new post, and gives the parameters its label. */
function labelled(draw: Draw, by: string, given: Given): Given {
  const { label, number } = draw.newPost(by, 'post', given['visibility'])
  return { label, number, ...given }
}

function textOf(world: World, by: string, given: Given, version: number): Given {
  const { number, mentions = [], tag, spoiler } = given
  const word = wordOf(number, version)
  const handles = (mentions as string[]).map((name) => world.handle(by, name))
  return {
    status: [...handles, `said ${word}`, ...(tag ? [`#${tag}`] : [])].join(' '),
    ...(spoiler ? { spoiler_text: `about ${word}` } : {}),
  }
}

async function uploadImage(world: World, by: string, description: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([await smallImage], { type: 'image/png' }), 'a.png')
  form.set('description', description)
  const { json } = await world.person(by).send('POST', '/api/v2/media', { form })
  return json.id
}

async function publish(world: World, by: string, given: Given, more: Given): Promise<Given | null> {
  const { label, visibility, language, policy, poll, media } = given
  const body = {
    ...textOf(world, by, given, 0),
    visibility,
    ...(language ? { language } : {}),
    ...(policy ? { quote_approval_policy: policy } : {}),
    ...(poll ? { poll: { ...poll, options: [`tea ${wordOf(given['number'], 0)}`, 'coffee', 'water'] } } : {}),
    ...(media ? { media_ids: [await uploadImage(world, by, `an image of ${wordOf(given['number'], 0)}`)] } : {}),
    ...more,
  }
  const answer = await world.send(by, 'POST', '/api/v1/statuses', body, { 'idempotency-key': label })
  if (answer.status !== 200) return null
  if (answer.json.uri) remember(world, by, given, answer.json)
  return answer.json
}

function remember(world: World, by: string, { label, number, mentions, boosts }: Given, status: Given): void {
  const post: Post = {
    label,
    number,
    author: by,
    id: status['id'],
    uri: status['uri'],
    visibility: status['visibility'],
    mentioned: new Set(mentions),
    answers: NAMES.find((name) => world.accountId(by, name) === status['in_reply_to_account_id']) ?? null,
    version: 0,
    deleted: false,
    round: world.round,
    boosts: boosts ?? null,
  }
  if (!world.posts.has(label)) world.posts.set(label, post)
}

/** Calls `act` with the id of the copy on the server of `by`, which it reads from the other server if it has none. */
async function onPost(world: World, by: string, label: string, act: (id: string) => Promise<unknown>): Promise<void> {
  const post = world.posts.get(label)
  if (!post) return
  let id = await world.statusId(by, label)
  if (id === null && post.boosts === null) {
    const found = await world.send(
      by,
      'GET',
      `/api/v2/search?q=${encodeURIComponent(post.uri)}&resolve=true&type=statuses`,
    )
    id = found.json?.statuses?.[0]?.id ?? null
  }
  if (id !== null) await act(id)
}

const verb = (name: string, weight: number, isOwn = false): Acts => ({
  [name]: {
    weight,
    draw: (draw, by) => {
      const target = isOwn ? draw.own(by) : draw.post()
      return target === null ? null : { target }
    },
    run: (world, by, { target }) =>
      onPost(world, by, target, (id) => world.send(by, 'POST', `/api/v1/statuses/${id}/${name}`)),
  },
})

export const postActs: Acts = {
  post: {
    weight: 14,
    draw: (draw, by) => {
      const given = drawContent(draw, by)
      const media = draw.chance(0.1)
      const poll = !media && draw.chance(0.2)
      return labelled(draw, by, {
        ...given,
        ...(media ? { media } : {}),
        ...(poll ? { poll: { expires_in: 3600, multiple: draw.chance(0.4), hide_totals: draw.chance(0.2) } } : {}),
      })
    },
    run: (world, by, given) => publish(world, by, given, {}),
  },
  reply: {
    weight: 12,
    draw: (draw, by) => {
      const target = draw.post()
      return target === null ? null : labelled(draw, by, { target, ...drawContent(draw, by) })
    },
    run: (world, by, given) =>
      onPost(world, by, given['target'], (id) => publish(world, by, given, { in_reply_to_id: id })),
  },
  quote: {
    weight: 8,
    draw: (draw, by) => {
      const target = draw.post(({ kind }) => kind === 'post')
      return target === null ? null : labelled(draw, by, { target, ...drawContent(draw, by) })
    },
    run: (world, by, given) =>
      onPost(world, by, given['target'], (id) => publish(world, by, given, { quoted_status_id: id })),
  },
  schedule: {
    weight: 2,
    draw: (draw, by) => labelled(draw, by, drawContent(draw, by)),
    async run(world, by, given) {
      const scheduled = await publish(world, by, given, {
        scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
      })
      if (!scheduled) return
      const server = world.serverOf(by)
      await publishNow(server, scheduled['id'])
      const word = wordOf(given['number'], 0)
      // The account may be gone.
      const { json } = await world.send(by, 'GET', `/api/v1/accounts/${world.person(by).id}/statuses?limit=40`)
      const made = Array.isArray(json) && json.find(({ content }: any) => content.includes(word))
      if (made) remember(world, by, given, made)
    },
  },
  edit: {
    weight: 8,
    draw: (draw, by) => {
      const target = draw.own(by)
      if (target === null) return null
      const { mentions, tag, spoiler } = drawContent(draw, by)
      const media = draw.chance(0.15)
      return { target, mentions, tag, spoiler, ...(!media && draw.chance(0.2) ? { poll: true } : {}), media }
    },
    run: (world, by, { target, ...given }) =>
      onPost(world, by, target, async (id) => {
        const post = world.posts.get(target) as Post
        // Concurrent edits have different words, so that the post shows which one won.
        const version = ++post.version
        for (const name of given['mentions']) post.mentioned.add(name)
        const body = textOf(world, by, { ...given, number: post.number }, version)
        const poll = given['poll'] ? { poll: { options: ['milk', 'juice'], expires_in: 3600 } } : {}
        const image = given['media']
          ? await uploadImage(world, by, `an image of ${wordOf(post.number, version)}`)
          : null
        const media = image ? { media_ids: [image] } : {}
        await world.send(by, 'PUT', `/api/v1/statuses/${id}`, { spoiler_text: '', ...body, ...poll, ...media })
      }),
  },
  delete: {
    weight: 5,
    draw: (draw, by) => {
      const target = draw.post((post) => post.by === by)
      return target === null ? null : { target, deletesMedia: draw.chance(0.5) }
    },
    run: (world, by, { target, deletesMedia }) =>
      onPost(world, by, target, async (id) => {
        const query = deletesMedia ? '?delete_media=true' : ''
        const { status } = await world.send(by, 'DELETE', `/api/v1/statuses/${id}${query}`)
        if (status === 200) (world.posts.get(target) as Post).deleted = true
      }),
  },
  redraft: {
    weight: 3,
    draw: (draw, by) => {
      const target = draw.own(by)
      return target === null ? null : labelled(draw, by, { target, ...drawContent(draw, by) })
    },
    run: (world, by, given) =>
      onPost(world, by, given['target'], async (id) => {
        const { status, json } = await world.send(by, 'DELETE', `/api/v1/statuses/${id}`)
        if (status !== 200) return
        ;(world.posts.get(given['target']) as Post).deleted = true
        const media_ids: string[] = json.media_attachments.map((medium: Given) => medium['id'])
        const description = `an image of ${wordOf(given['number'], 0)}`
        for (const medium of media_ids) await world.send(by, 'PUT', `/api/v1/media/${medium}`, { description })
        await publish(world, by, given, {
          ...(media_ids.length > 0 ? { media_ids } : {}),
          in_reply_to_id: json.in_reply_to_id,
        })
      }),
  },
  reblog: {
    weight: 12,
    draw: (draw, by) => {
      const target = draw.post()
      if (target === null) return null
      const visibility = draw.one(['public', 'public', 'unlisted', 'private'] as const)
      return { target, label: draw.newPost(by, 'boost', visibility).label, visibility }
    },
    run: (world, by, { target, label, visibility }) =>
      onPost(world, by, target, async (id) => {
        const { status, json } = await world.send(by, 'POST', `/api/v1/statuses/${id}/reblog`, { visibility })
        if (status !== 200) return
        const boosts = world.posts.get(target)?.boosts ?? target
        if (![...world.posts.values()].some((post) => post.id === json.id && post.author === by))
          remember(world, by, { label, number: -1, boosts }, json)
      }),
  },
  vote: {
    weight: 6,
    draw: (draw) => {
      const target = draw.post(({ kind }) => kind === 'post')
      return target === null ? null : { target, choices: draw.chance(0.4) ? [0, 1] : [draw.below(3)] }
    },
    run: (world, by, { target, choices }) =>
      onPost(world, by, target, async (id) => {
        const { json } = await world.send(by, 'GET', `/api/v1/statuses/${id}`)
        if (json?.poll) await world.send(by, 'POST', `/api/v1/polls/${json.poll.id}/votes`, { choices })
      }),
  },
  /** Reads a post of the other server, which may not have been delivered yet. */
  fetch: {
    weight: 3,
    draw: (draw) => {
      const target = draw.post(({ kind }) => kind === 'post')
      return target === null ? null : { target }
    },
    async run(world, by, { target }) {
      const uri = world.posts.get(target)?.uri
      if (uri !== undefined)
        await world.send(by, 'GET', `/api/v2/search?q=${encodeURIComponent(uri)}&type=statuses&resolve=true`)
    },
  },
  endPoll: {
    weight: 3,
    draw: (draw, by) => {
      const target = draw.own(by)
      return target === null ? null : { target }
    },
    run: (world, by, { target }) =>
      onPost(world, by, target, async (id) => {
        const { json } = await world.send(by, 'GET', `/api/v1/statuses/${id}`)
        if (json?.poll) await endPoll(world.serverOf(by), json.poll.id)
      }),
  },
  quotePolicy: {
    weight: 3,
    draw: (draw, by) => {
      const target = draw.own(by)
      return target === null ? null : { target, policy: draw.one(POLICIES) }
    },
    run: (world, by, { target, policy }) =>
      onPost(world, by, target, (id) =>
        world.send(by, 'PUT', `/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: policy }),
      ),
  },
  revokeQuote: {
    weight: 4,
    draw: (draw, by) => {
      const target = draw.own(by)
      return target === null ? null : { target }
    },
    run: (world, by, { target }) =>
      onPost(world, by, target, async (id) => {
        const { json } = await world.send(by, 'GET', `/api/v1/statuses/${id}/quotes`)
        if (json?.[0]) await world.send(by, 'POST', `/api/v1/statuses/${id}/quotes/${json[0].id}/revoke`)
      }),
  },
  ...verb('unreblog', 5),
  ...verb('favourite', 10),
  ...verb('unfavourite', 4),
  ...verb('bookmark', 4),
  ...verb('unbookmark', 2),
  ...verb('pin', 4, true),
  ...verb('unpin', 2, true),
  ...verb('mute', 2),
  ...verb('unmute', 1),
}
