import type { ClientSearchTexts } from '../../en/client/search.ts'

export const jaClientSearch: ClientSearchTexts = {}
