export const enClientSubscribe = {
  title: ({ handle }: { handle: string }) => `Posts of ${handle} by e-mail`,
  text: 'New public posts, without boosts and replies to others. A first e-mail asks you to confirm the address.',
  email: 'E-mail address',
  submit: 'Subscribe',
  sent: 'If this address is not subscribed yet, a link to confirm it is on its way.',
}

export type ClientSubscribeTexts = typeof enClientSubscribe
