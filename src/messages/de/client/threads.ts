import type { ClientThreadsTexts } from '../../en/client/threads.ts'

export const deClientThreads: ClientThreadsTexts = {
  reveal: 'Alles Verborgene anzeigen',
  hide: 'Wieder verbergen',
}
