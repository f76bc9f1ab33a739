import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminContent = {}

export type AdminContentTexts = Translated<typeof enAdminContent>
