import type { ClientListsTexts } from '../../en/client/lists.ts'

export const jaClientLists: ClientListsTexts = {}
