import { StartError } from './errors.ts'
import { endpoint, flag, neededWith, type Variables } from './variables.ts'

/**
 * An OpenID Connect provider. `endpoints`: null when the issuer's discovery document names them. `uidField`: the claim from which
 * usernames are made. https://docs.joinmastodon.org/admin/config/#oidc
 */
export type ProviderSettings = {
  displayName: string
  issuer: string
  endpoints: { authorization: string; token: string; userInfo: string | null; keys: string } | null
  scope: string
  uidField: string
  clientId: string
  clientSecret: string
  /** For providers that do not say whether they have verified an address. */
  assumesVerifiedEmail: boolean
  /** Whether a verified mail address attaches an identity to the account that has the same one. */
  attachesByEmail: boolean
}

/** Where the provider sends browsers back to. Mastodon's path, so that its entry at the provider goes on to work. */
export const OIDC_CALLBACK = '/auth/auth/openid_connect/callback'

/** Null unless `OIDC_ENABLED`. Throws StartError. */
export function readOidc(text: Variables, baseUrl: string): ProviderSettings | null {
  if (!flag(text, 'OIDC_ENABLED', false)) return null
  const needed = neededWith(text, 'OIDC_ENABLED=true')
  const redirectUri = text('OIDC_REDIRECT_URI')
  if (redirectUri !== null && redirectUri !== baseUrl + OIDC_CALLBACK)
    throw new StartError(`OIDC_REDIRECT_URI=${redirectUri} must be ${baseUrl}${OIDC_CALLBACK}, or absent.`)
  const issuer = needed('OIDC_ISSUER')
  // A slash at its end is part of the name.
  endpoint(issuer, 'OIDC_ISSUER')
  return {
    displayName: text('OIDC_DISPLAY_NAME') ?? new URL(issuer).hostname,
    issuer,
    endpoints: flag(text, 'OIDC_DISCOVERY', true) ? null : readOidcEndpoints(text),
    // Mastodon puts commas between them.
    scope: (text('OIDC_SCOPE') ?? 'openid,profile,email').split(/[\s,]+/).join(' '),
    uidField: text('OIDC_UID_FIELD') ?? 'preferred_username',
    clientId: needed('OIDC_CLIENT_ID'),
    clientSecret: needed('OIDC_CLIENT_SECRET'),
    assumesVerifiedEmail: flag(text, 'OIDC_SECURITY_ASSUME_EMAIL_IS_VERIFIED', false),
    attachesByEmail: flag(text, 'ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH', false),
  }
}

function readOidcEndpoints(text: Variables): NonNullable<ProviderSettings['endpoints']> {
  const needed = neededWith(text, 'OIDC_DISCOVERY=false')
  const userInfo = text('OIDC_USER_INFO_ENDPOINT')
  return {
    authorization: endpoint(needed('OIDC_AUTH_ENDPOINT'), 'OIDC_AUTH_ENDPOINT'),
    token: endpoint(needed('OIDC_TOKEN_ENDPOINT'), 'OIDC_TOKEN_ENDPOINT'),
    userInfo: userInfo === null ? null : endpoint(userInfo, 'OIDC_USER_INFO_ENDPOINT'),
    keys: endpoint(needed('OIDC_JWKS_URI'), 'OIDC_JWKS_URI'),
  }
}
