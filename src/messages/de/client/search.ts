import type { ClientSearchTexts } from '../../en/client/search.ts'

export const deClientSearch: ClientSearchTexts = {}
