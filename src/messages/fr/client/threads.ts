import type { ClientThreadsTexts } from '../../en/client/threads.ts'

export const frClientThreads: ClientThreadsTexts = {
  reveal: 'Afficher tout ce qui est masqué',
  hide: 'Masquer à nouveau',
}
