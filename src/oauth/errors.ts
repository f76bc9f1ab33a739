import type { FastifyReply } from 'fastify'
import { bearerChallenge } from '../http/headers.ts'
import { AppError } from '../lib/errors.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_redirect_uri'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'

/** The texts that clients of this API have always been given. */
const DESCRIPTIONS: Record<OAuthErrorCode, string> = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  invalid_redirect_uri: "The requested redirect uri is malformed or doesn't match client redirect URI.",
  unauthorized_client: 'You are not authorized to revoke this token',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  access_denied: 'The resource owner or authorization server denied the request.',
}

const STATUSES: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, unauthorized_client: 403 }

/** An error in the form of RFC 6749, 5.2: `{error, error_description}`. */
export class OAuthError extends AppError {
  readonly code: OAuthErrorCode
  readonly description: string

  constructor(code: OAuthErrorCode, description = DESCRIPTIONS[code], cause?: unknown) {
    super(STATUSES[code] ?? 400, code, { cause, extra: { error_description: description } })
    this.code = code
    this.description = description
  }
}

export const missingParameter = (name: string): OAuthError =>
  new OAuthError('invalid_request', `Missing required parameter: ${name}.`)

/** For the endpoints that answer errors in this form: what is the caller's fault is an OAuth error, and 401 says how to do better. */
export function asOAuthError(error: unknown, reply: FastifyReply): unknown {
  const answer = isBadRequest(error) ? new OAuthError('invalid_request', error.message, error) : error
  if (answer instanceof OAuthError && answer.status === 401)
    void reply.header('www-authenticate', bearerChallenge(answer.code, answer.description))
  return answer
}

/** Parameters that cannot be read: of the wrong shape, or in a body that is none. */
function isBadRequest(error: unknown): error is Error {
  if (error instanceof OAuthError) return false
  if (error instanceof AppError) return error.status === 400 || error.status === 422
  return (error as { statusCode?: number }).statusCode === 400
}
