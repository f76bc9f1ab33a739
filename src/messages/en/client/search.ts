export const enClientSearch = {}

export type ClientSearchTexts = typeof enClientSearch
