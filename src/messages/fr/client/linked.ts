import type { ClientLinkedTexts } from '../../en/client/linked.ts'

export const frClientLinked: ClientLinkedTexts = {
  post: 'Message lié',
  show: 'Afficher le message lié',
}
