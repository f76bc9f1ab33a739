import type { ClientAccountsTexts } from '../../en/client/accounts.ts'

export const deClientAccounts: ClientAccountsTexts = {}
