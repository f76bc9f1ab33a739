import type { ClientSearchTexts } from '../../en/client/search.ts'

export const frClientSearch: ClientSearchTexts = {}
