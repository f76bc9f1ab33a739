import type { ClientLinkedTexts } from '../../en/client/linked.ts'

export const jaClientLinked: ClientLinkedTexts = {
  post: 'リンク先の投稿',
  show: 'リンク先の投稿を表示',
}
