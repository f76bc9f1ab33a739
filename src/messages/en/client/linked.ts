export const enClientLinked = {
  post: 'Linked post',
}

export type ClientLinkedTexts = typeof enClientLinked
