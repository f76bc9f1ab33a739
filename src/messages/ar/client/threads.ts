import type { ClientThreadsTexts } from '../../en/client/threads.ts'

export const arClientThreads: ClientThreadsTexts = {
  reveal: 'إظهار كل ما هو مخفي',
  hide: 'إخفاؤه مجددًا',
}
