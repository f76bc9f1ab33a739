import type { Channel } from './channel.ts'

const NAMES = ['public', 'public:local', 'public:remote']

/** Public posts, of this server, of others, or of all; with media or not. */
export const publicChannels: readonly Channel[] = NAMES.flatMap((name) => [name, `${name}:media`]).map((name) => ({
  name,
  path: name.replace(/:media$/, '').replace(':', '/'),
  scopes: [],
  open: async () => ({ topic: { kind: 'public', key: name }, stream: [name] }),
}))
