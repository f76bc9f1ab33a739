import type { ClientThreadsTexts } from '../../en/client/threads.ts'

export const jaClientThreads: ClientThreadsTexts = {
  reveal: '隠れている内容をすべて表示',
  hide: 'もう一度隠す',
}
