import type { Described } from '../../http/described.ts'
import type { Channel } from './channel.ts'
import { directChannel } from './direct.ts'
import { hashtagChannels } from './hashtag.ts'
import { listChannel } from './list.ts'
import { publicChannels } from './public.ts'
import { userChannels } from './user.ts'

const CHANNELS: readonly Channel[] = [
  ...userChannels,
  ...publicChannels,
  ...hashtagChannels,
  listChannel,
  directChannel,
]

const byName = new Map(CHANNELS.map((channel) => [channel.name, channel]))

/** The stream of a name, or null. */
export const findChannel = (name: string): Channel | null => byName.get(name) ?? null

/** The stream of a path beneath /api/v1/streaming/, or null. Where there are none for media only, `onlyMedia` changes nothing. */
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
    answers: 'application/json',
    params: ['stream', 'tag', 'list'],
    scopes: [],
  },
  ...CHANNELS.filter(({ name }) => !name.endsWith(':media')).map(({ name, path, scopes }) => ({
    path: `/api/v1/streaming/${path}`,
    summary: `Server-sent events of the stream ${name}`,
    answers: 'text/event-stream',
    params: path.startsWith('hashtag')
      ? ['tag']
      : path === 'list'
        ? ['list']
        : path.startsWith('public')
          ? ['only_media']
          : [],
    scopes,
  })),
]
