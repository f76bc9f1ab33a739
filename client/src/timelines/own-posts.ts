// The posts of this tab. Its timelines show them without announcing them, no matter whether the answer or the stream comes first.
import { signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import { isMe } from '../state/me.ts'

const postsInProgress = signal(0)
const sent = new Set<string>()

/** `post` calls `recordSent` with what it has posted. */
export async function whilePosting<T>(post: () => Promise<T>): Promise<T> {
  postsInProgress.value += 1
  try {
    return await post()
  } finally {
    postsInProgress.value -= 1
  }
}

export const recordSent = ({ id }: Status): void => void sent.add(id)

export const isSentHere = ({ id }: Status): boolean => sent.has(id)

/** The new statuses to announce: not the boosts of the viewer, nor own posts while one is being sent. */
export const newsAmong = (statuses: readonly Status[]): readonly Status[] =>
  statuses.filter(({ account, reblog }) => !isMe(account.id) || (!reblog && postsInProgress.value === 0))
