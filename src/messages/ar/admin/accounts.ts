import type { AdminAccountsTexts } from '../../en/admin/accounts.ts'

export const arAdminAccounts: AdminAccountsTexts = {}
