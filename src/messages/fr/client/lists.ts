import type { ClientListsTexts } from '../../en/client/lists.ts'

export const frClientLists: ClientListsTexts = {}
