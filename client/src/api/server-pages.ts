/** Addresses that have no screen: pages of the server, files and the API. */
const SERVER_PAGES =
  '(?:settings|admin|auth|oauth|about|terms-of-service|privacy-policy|invite|disputes|severed_relationships|source|api|media|media_proxy|system|files|assets|client|authorize_interaction|nodeinfo|users)(?:/|\\?|#|$)'

/** The server's page for signing in to another account, or switching to it. */
export const ACCOUNTS_PAGE = '/auth/sign_in?again=1'

/** Links to other addresses leave the client. */
export const CLIENT_LINKS = new RegExp(`^/(?!${SERVER_PAGES})`)
