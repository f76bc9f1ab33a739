export const enClientAccounts = {}

export type ClientAccountsTexts = typeof enClientAccounts
