export const enClientLists = {}

export type ClientListsTexts = typeof enClientLists
