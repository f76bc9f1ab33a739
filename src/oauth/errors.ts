import type { FastifyReply } from 'fastify'
import { bearerChallenge } from '../http/headers.ts'
import { AppError } from '../lib/errors.ts'
import { message, render, type Text } from '../messages/message.ts'

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

const STATUSES: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, unauthorized_client: 403 }

/** An error in the form of RFC 6749, 5.2: `{error, error_description}`. */
export class OAuthError extends AppError {
  readonly code: OAuthErrorCode
  readonly description: Text

  constructor(code: OAuthErrorCode, description: Text = message(`oauth_${code}`), cause?: unknown) {
    super(STATUSES[code] ?? 400, code, { cause, extra: { error_description: description } })
    this.code = code
    this.description = description
  }
}

export const missingParameter = (name: string): OAuthError =>
  new OAuthError('invalid_request', message('oauth_missing_parameter', { name }))

/** Rewords an error of an OAuth endpoint: a bad request becomes `invalid_request`, and a 401 gets a WWW-Authenticate header. */
export function asOAuthError(error: unknown, reply: FastifyReply): unknown {
  const answer = isBadRequest(error)
    ? new OAuthError('invalid_request', error instanceof AppError ? error.text : error.message, error)
    : error
  if (answer instanceof OAuthError && answer.status === 401)
    void reply.header('www-authenticate', bearerChallenge(answer.code, render(answer.description, 'en')))
  return answer
}

function isBadRequest(error: unknown): error is Error {
  if (error instanceof OAuthError) return false
  if (error instanceof AppError) return error.status === 400 || error.status === 422
  return (error as { statusCode?: number }).statusCode === 400
}
