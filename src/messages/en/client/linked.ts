export const enClientLinked = {
  post: 'Linked post',
  show: 'Show linked post',
}

export type ClientLinkedTexts = typeof enClientLinked
