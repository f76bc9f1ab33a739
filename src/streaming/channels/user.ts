import { ensureHome } from '../../domain/timelines/home-build.ts'
import type { Channel } from './channel.ts'

/** What happens in one's own feeds: posts of the home timeline, notifications. */
export const userChannels: readonly Channel[] = [
  {
    name: 'user',
    path: 'user',
    scopes: ['read:statuses'],
    async open(ctx, { accountId }) {
      // Whoever only listens has a feed as well: nothing is put into feeds that nobody keeps.
      await ensureHome(ctx, accountId)
      return { topic: { kind: 'user', key: accountId }, stream: ['user'] }
    },
  },
  {
    name: 'user:notification',
    path: 'user/notification',
    scopes: ['read:notifications'],
    open: async (_ctx, { accountId }) => ({
      topic: { kind: 'notifications', key: accountId },
      stream: ['user:notification'],
    }),
  },
]
