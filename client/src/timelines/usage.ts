import type { UseHistory } from '../api/entities.ts'

/** How often a hashtag or link was used in the last days, by how many people a day at most. */
export function usage(history: readonly UseHistory[]): { posts: number; people: number } {
  return {
    posts: history.reduce((sum, { uses }) => sum + Number(uses), 0),
    people: Math.max(0, ...history.map(({ accounts }) => Number(accounts))),
  }
}
