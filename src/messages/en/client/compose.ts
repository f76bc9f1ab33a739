export const enClientCompose = {}

export type ClientComposeTexts = typeof enClientCompose
