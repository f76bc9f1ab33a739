/** The id of the account for which the server sent the shell. */
export const accountId = document.documentElement.dataset.account ?? ''

/** The ids of the accounts to which this browser can switch. */
export const otherAccountIds = document.documentElement.dataset.otherAccounts?.split(' ') ?? []

/**
 * The server reads the session's token from its cookie when it sees this header, and refuses it when another account has signed in
 * meanwhile. Scripts cannot read the token.
 */
export const SESSION_HEADERS = { authorization: `Session ${accountId}` }
