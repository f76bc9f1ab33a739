import type { ClientLinkedTexts } from '../../en/client/linked.ts'

export const arClientLinked: ClientLinkedTexts = {
  post: 'المنشور المرتبط',
  show: 'عرض المنشور المرتبط',
}
