import type { EventSource } from './event.ts'

/** Somebody changed their filters: other clients of theirs read them again. */
export const filtersChanged: EventSource<'filters.changed'> = async (_ctx, hub, { accountId }) => [
  { to: hub.at('user', accountId), event: 'filters_changed' },
]
