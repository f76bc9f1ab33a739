import type { ClientThreadsTexts } from '../../en/client/threads.ts'

export const esClientThreads: ClientThreadsTexts = {
  reveal: 'Mostrar todo lo oculto',
  hide: 'Volver a ocultarlo',
}
