import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminOperations = {}

export type AdminOperationsTexts = Translated<typeof enAdminOperations>
