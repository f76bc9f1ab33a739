// The OAuth endpoints, and GET /.well-known/oauth-authorization-server: authorization server metadata (RFC 8414).
import { ALL_SCOPES } from '../domain/auth/scopes.ts'
import { route, table } from '../http/route.ts'
import { RESPONSE_MODES } from './authorization-request.ts'
import { getUserInfo, introspect, tokenInfo } from './introspect.ts'
import { createToken, revoke } from './token.ts'
import Type from 'typebox'

const texts = Type.Array(Type.String())

const OAuthServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    service_documentation: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    app_registration_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    userinfo_endpoint: Type.String(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    code_challenge_methods_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
  },
  { $id: 'OAuthServerMetadata' },
)

const serverMetadata = route({
  summary: 'OAuth authorization server metadata',
  auth: 'none',
  alwaysOpen: true,
  returns: OAuthServerMetadata,
  async handle({ ctx: { config }, reply }) {
    void reply.header('cache-control', 'public, max-age=300')
    const at = (path: string): string => `${config.baseUrl}${path}`
    return {
      issuer: at('/'),
      service_documentation: 'https://docs.joinmastodon.org/',
      authorization_endpoint: at('/oauth/authorize'),
      token_endpoint: at('/oauth/token'),
      app_registration_endpoint: at('/api/v1/apps'),
      revocation_endpoint: at('/oauth/revoke'),
      introspection_endpoint: at('/oauth/introspect'),
      userinfo_endpoint: at('/oauth/userinfo'),
      scopes_supported: [...ALL_SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: [...RESPONSE_MODES],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        ...(config.oauthPasswordGrant ? ['password'] : []),
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }
  },
})

/** registerAuthorize adds the pages of /oauth/authorize. */
export const oauthRoutes = table({
  'POST /oauth/token': createToken,
  'GET /oauth/token/info': tokenInfo,
  'POST /oauth/introspect': introspect,
  'POST /oauth/revoke': revoke,
  'GET /oauth/userinfo': getUserInfo,
  'POST /oauth/userinfo': getUserInfo,
  'GET /.well-known/oauth-authorization-server': serverMetadata,
})
