import type { ClientAccountsTexts } from '../../en/client/accounts.ts'

export const esClientAccounts: ClientAccountsTexts = {}
