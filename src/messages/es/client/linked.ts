import type { ClientLinkedTexts } from '../../en/client/linked.ts'

export const esClientLinked: ClientLinkedTexts = {
  post: 'Publicación enlazada',
  show: 'Mostrar la publicación enlazada',
}
