import type { ClientLinkedTexts } from '../../en/client/linked.ts'

export const deClientLinked: ClientLinkedTexts = {
  post: 'Verlinkter Beitrag',
  show: 'Verlinkten Beitrag anzeigen',
}
