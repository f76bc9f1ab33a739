import type { Context } from '../context.ts'
import type { Scope } from '../domain/auth/scopes.ts'
import type { Viewer } from '../domain/auth/viewer.ts'
import { getOwnList } from '../domain/lists/lists.ts'
import { ensureHome } from '../domain/timelines/home-build.ts'
import type { Described } from '../http/openapi.ts'
import { BadRequest, NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { message } from '../messages/message.ts'
import type { Topic } from './hub.ts'

export type StreamParams = { tag?: string; list?: string }

export type Channel = {
  /** The name in the API, such as `public:local`. */
  name: string
  /** Its path for server-sent events below /api/v1/streaming/. Channels named `…:media` share it and need `only_media`. */
  path: string
  /** Query parameters of the path. */
  params: readonly string[]
  /** The token needs one of these; none: any token of a user. */
  scopes: readonly Scope[]
  /** Prepares the stream and returns its topic, and its name in events. Throws AppError. */
  open(ctx: Context, viewer: Viewer, params: StreamParams): Promise<{ topic: Topic; stream: readonly string[] }>
}

const userChannels: readonly Channel[] = [
  {
    name: 'user',
    path: 'user',
    params: [],
    scopes: ['read:statuses'],
    async open(ctx, { accountId }) {
      // The fan-out skips accounts without a home feed, and this account may only ever have used streams.
      await ensureHome(ctx, accountId)
      return { topic: { kind: 'user', key: accountId }, stream: ['user'] }
    },
  },
  {
    name: 'user:notification',
    path: 'user/notification',
    params: [],
    scopes: ['read:notifications'],
    open: async (_ctx, { accountId }) => ({
      topic: { kind: 'notifications', key: accountId },
      stream: ['user:notification'],
    }),
  },
]

const NAMES = ['public', 'public:local', 'public:remote']

const publicChannels: readonly Channel[] = NAMES.flatMap((name) => [name, `${name}:media`]).map((name) => ({
  name,
  path: name.replace(/:media$/, '').replace(':', '/'),
  params: ['only_media'],
  scopes: [],
  open: async () => ({ topic: { kind: 'public', key: name }, stream: [name] }),
}))

const hashtagChannels: readonly Channel[] = ['hashtag', 'hashtag:local'].map((name) => ({
  name,
  path: name.replace(':', '/'),
  params: ['tag'],
  scopes: [],
  async open(_ctx, _viewer, { tag = '' }) {
    const key = normaliseTag(tag)
    if (key === '') throw new BadRequest(message('stream_tag_missing'))
    return { topic: { kind: 'hashtag', key: `${name}:${key}` }, stream: [name, tag] }
  },
}))

const listChannel: Channel = {
  name: 'list',
  path: 'list',
  params: ['list'],
  scopes: ['read:statuses'],
  async open(ctx, { accountId }, { list = '' }) {
    if (list === '') throw new BadRequest(message('stream_list_missing'))
    if (!isId(list)) throw new NotFound()
    const { id } = await getOwnList(ctx, accountId, list)
    return { topic: { kind: 'list', key: id }, stream: ['list', id] }
  },
}

const directChannel: Channel = {
  name: 'direct',
  path: 'direct',
  params: [],
  scopes: ['read:statuses'],
  open: async (_ctx, { accountId }) => ({ topic: { kind: 'direct', key: accountId }, stream: ['direct'] }),
}

const CHANNELS: readonly Channel[] = [
  ...userChannels,
  ...publicChannels,
  ...hashtagChannels,
  listChannel,
  directChannel,
]

const byName = new Map(CHANNELS.map((channel) => [channel.name, channel]))

export const findChannel = (name: string): Channel | null => byName.get(name) ?? null

/** `path` is below /api/v1/streaming/. Where no stream is for media only, `onlyMedia` has no effect. */
export function findChannelAt(path: string, onlyMedia: boolean): Channel | null {
  const there = CHANNELS.filter((channel) => channel.path === path)
  const isMedia = ({ name }: Channel): boolean => name.endsWith(':media')
  return there.find((channel) => isMedia(channel) === onlyMedia) ?? there[0] ?? null
}

const MANY = 'WebSocket: many streams over one connection, subscribed to and unsubscribed from'

/** The streams for the documentation: one path for WebSockets, and one for each that is served as events. */
export const describedChannels: readonly Described[] = [
  {
    path: '/api/v1/streaming',
    summary: MANY,
    contentType: 'application/json',
    params: ['stream', 'tag', 'list'],
    scopes: [],
  },
  ...CHANNELS.filter(({ name }) => !name.endsWith(':media')).map(({ name, path, params, scopes }) => ({
    path: `/api/v1/streaming/${path}`,
    summary: `Server-sent events of the stream ${name}`,
    contentType: 'text/event-stream',
    params,
    scopes,
  })),
]
