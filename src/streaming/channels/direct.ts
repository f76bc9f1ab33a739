import type { Channel } from './channel.ts'

/** What happens in one's conversations of direct posts. */
export const directChannel: Channel = {
  name: 'direct',
  path: 'direct',
  scopes: ['read:statuses'],
  open: async (_ctx, { accountId }) => ({ topic: { kind: 'direct', key: accountId }, stream: ['direct'] }),
}
