import type { AdminAccountsTexts } from '../../en/admin/accounts.ts'

export const frAdminAccounts: AdminAccountsTexts = {}
