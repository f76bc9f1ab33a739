import type { AdminAccountsTexts } from '../../en/admin/accounts.ts'

export const jaAdminAccounts: AdminAccountsTexts = {}
