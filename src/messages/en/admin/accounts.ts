import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminAccounts = {}

export type AdminAccountsTexts = Translated<typeof enAdminAccounts>
