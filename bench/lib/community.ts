// The server that the rows measure: twenty users who follow each other, with posts as people write them.
import sharp from 'sharp'
import { openBackend } from '../../src/backend.ts'
import { readConfig } from '../../src/config.ts'
import { commandLineApp } from '../../src/domain/auth/apps.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { createRandom, pollOptions, sentences, TAGS, type Random } from '../seed/random.ts'
import { send, type Call, type Target } from './http.ts'

export type User = { id: string; username: string; token: string }
/** `author`: the index of the user. */
export type Posted = { id: string; author: number; visibility: string }
export type Community = {
  users: User[]
  statuses: Posted[]
  /** As `status:user`, by index. */
  favourites: string[]
  /** The status with a hundred replies. */
  thread: string
}

const USERS = 20
const REPLIES = 100
/** Requests under way at once. */
const WIDTH = 4

export type FillOptions = { statuses: number; progress(text: string): void }

/** Creates confirmed users with tokens in the database of a running server. */
export async function createUsers(env: Record<string, string>, usernames: readonly string[]): Promise<User[]> {
  const { ctx, close } = await openBackend(readConfig({ ...env, LOG_LEVEL: 'error' }), 'command')
  try {
    const app = await commandLineApp(ctx)
    const password = 'correct horse battery'
    const passwordHash = await hashPassword(password)
    const users: User[] = []
    for (const username of usernames) {
      const user = { username, email: `${username}@localhost`, password, passwordHash, confirmed: true }
      const { accountId, userId } = await createUser(ctx, user)
      const { token } = await issueToken(ctx, { appId: app.id, userId, scopes: ['read', 'write', 'follow'] })
      users.push({ id: accountId, username, token })
    }
    return users
  } finally {
    await close()
  }
}

/** Fills a server through its API, as clients would, so that it has only the statistics that it gathers by itself. */
export async function fillCommunity(
  target: Target,
  env: Record<string, string>,
  { statuses: wanted, progress }: FillOptions,
): Promise<Community> {
  const random = createRandom(9)
  const users = await createUsers(
    env,
    Array.from({ length: USERS }, (_, i) => `person${i}`),
  )
  const pairs = users.flatMap((follower) =>
    users.filter((user) => user !== follower).map((user) => ({ follower, user })),
  )
  await eachOf(pairs, async ({ follower, user }) => {
    await send(target, post(`/api/v1/accounts/${user.id}/follow`, follower))
  })
  progress(`${pairs.length} follows`)
  const statuses = await addStatuses(target, users, { wanted, random, progress })
  const favourites = await interact(target, users, statuses, random)
  progress(`${favourites.length} favourites`)
  const thread = await addThread(target, users, random)
  progress(`a thread of ${REPLIES} replies`)
  return { users, statuses, favourites, thread }
}

const post = (path: string, user: User, body?: object): Call => ({
  method: 'POST',
  path,
  token: user.token,
  ...(body ? { body } : {}),
})

async function eachOf<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let at = 0
  const worker = async (): Promise<void> => {
    while (at < items.length) {
      const index = at++
      await work(items[index] as T, index)
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
}

type Draft = {
  author: number
  body: { status: string; visibility: string; [name: string]: unknown }
  parent: number | null
  quote: number | null
  images: number
}

/** Shares: a quarter mentions someone, a third has hashtags, 15 % reply, 10 % have images, 4 % quote, 3 % ask. */
function draftOf(random: Random, index: number): Draft {
  const author = index % USERS
  const mentioned = random.below(USERS)
  const share = random.next()
  const kind = random.next()
  const words = [...sentences(random), ...(random.chance(0.3) ? [`#${random.pick(TAGS)}`] : [])]
  if (random.chance(0.1)) words.push(`#${random.pick(TAGS)}`)
  if (mentioned !== author && random.chance(0.25)) words.unshift(`@person${mentioned}`)
  return {
    author,
    body: {
      status: words.join(' '),
      visibility: share < 0.85 ? 'public' : share < 0.95 ? 'unlisted' : 'private',
      language: random.chance(0.9) ? 'en' : 'de',
      ...(random.chance(0.05) ? { spoiler_text: 'Long walk' } : {}),
      ...(kind < 0.03 ? { poll: { options: pollOptions(random), expires_in: 86_400 } } : {}),
    },
    parent: random.chance(0.15) ? random.next() : null,
    quote: kind > 0.96 ? random.next() : null,
    images: kind > 0.83 && kind <= 0.93 ? 1 + random.below(2) : 0,
  }
}

async function addStatuses(
  target: Target,
  users: readonly User[],
  { wanted, random, progress }: { wanted: number; random: Random; progress(text: string): void },
): Promise<Posted[]> {
  const statuses: Posted[] = []
  const image = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#4080a0' } })
    .jpeg()
    .toBuffer()
  const drafts = Array.from({ length: wanted }, (_, i) => draftOf(random, i))
  const open = (share: number | null): string | null => {
    const status = share === null ? undefined : statuses[Math.floor(share * statuses.length)]
    return status && status.visibility !== 'private' ? status.id : null
  }
  await eachOf(drafts, async ({ author, body, parent, quote, images }, index) => {
    const user = users[author] as User
    const [repliedTo, quoted] = [open(parent), open(quote)]
    const mediaIds: string[] = []
    for (let i = 0; i < images; i++) mediaIds.push(await upload(target, user, image))
    const extra = {
      ...(repliedTo ? { in_reply_to_id: repliedTo } : {}),
      ...(quoted ? { quoted_status_id: quoted } : {}),
      ...(mediaIds.length > 0 ? { media_ids: mediaIds } : {}),
    }
    const { id } = await send<{ id: string }>(target, post('/api/v1/statuses', user, { ...body, ...extra }))
    statuses.push({ id, author, visibility: body.visibility })
    if ((index + 1) % 500 === 0) progress(`${index + 1} posts`)
  })
  return statuses
}

async function upload(target: Target, user: User, image: Buffer): Promise<string> {
  const boundary = 'boundary-of-the-upload'
  const part = (headers: string, content: Buffer | string): (Buffer | string)[] => [
    `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`,
    content,
    '\r\n',
  ]
  const parts = [
    ...part('name="description"', 'A blue sky'),
    ...part('name="file"; filename="sky.jpg"\r\ncontent-type: image/jpeg', image),
    `--${boundary}--\r\n`,
  ]
  const call = post('/api/v2/media', user, Buffer.concat(parts.map((each) => Buffer.from(each))))
  return (await send<{ id: string }>(target, { ...call, type: `multipart/form-data; boundary=${boundary}` })).id
}

/** One favourite per status on average, and a boost for every tenth. Statuses that quote or reply are among them. */
async function interact(
  target: Target,
  users: readonly User[],
  statuses: readonly Posted[],
  random: Random,
): Promise<string[]> {
  const pairs = (count: number): string[] => {
    const found = new Set<string>()
    for (let i = 0; i < count; i++) {
      const [status, user] = [random.below(statuses.length), random.below(users.length)]
      const { author, visibility } = statuses[status] as Posted
      if (author !== user && visibility === 'public') found.add(`${status}:${user}`)
    }
    return [...found]
  }
  const act = (name: string) => async (pair: string) => {
    const [status, user] = pair.split(':').map(Number) as [number, number]
    await send(target, post(`/api/v1/statuses/${statuses[status]?.id}/${name}`, users[user] as User))
  }
  const favourites = pairs(statuses.length * 1.2)
  await eachOf(favourites, act('favourite'))
  await eachOf(pairs(statuses.length * 0.12), act('reblog'))
  return favourites
}

/** Half of the replies continue the newest branch; the others reply to any status of the thread. */
async function addThread(target: Target, users: readonly User[], random: Random): Promise<string> {
  const ids: string[] = []
  for (let i = 0; i <= REPLIES; i++) {
    const parent = random.chance(0.5) ? ids.at(-1) : ids[random.below(Math.max(1, ids.length))]
    const body = { status: sentences(random).join(' '), ...(parent ? { in_reply_to_id: parent } : {}) }
    const { id } = await send<{ id: string }>(target, post('/api/v1/statuses', users[i % users.length] as User, body))
    ids.push(id)
  }
  return ids[0] as string
}
