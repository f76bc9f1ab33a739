export const enClientThreads = {
  reveal: 'Show everything that is hidden',
  hide: 'Hide it again',
}

export type ClientThreadsTexts = typeof enClientThreads
