import type { AdminAccountsTexts } from '../../en/admin/accounts.ts'

export const deAdminAccounts: AdminAccountsTexts = {}
