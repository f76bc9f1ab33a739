// /auth/auth/openid_connect: signing in at the OpenID Connect provider, and the way back from there.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { connectIdentity, findIdentityUser, isEmailTaken } from '../actions/auth/identities.ts'
import type { Context } from '../context.ts'
import { identityOf, identityProvider, type IdentityUser, type ProvenIdentity } from '../domain/auth/identities.ts'
import { takeIdentityRequest, type IdentityRequest } from '../domain/auth/identity-requests.ts'
import { checkForm } from '../html/csrf.ts'
import { textParam, type FormVisit } from '../html/form-page.ts'
import { currentSession } from '../html/session.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { Conflict } from '../lib/errors.ts'
import { OIDC_CALLBACK } from '../lib/identity-provider-settings.ts'
import type { IdentityClaims } from '../net/identity-provider.ts'
import { localPath } from './auth-forms.ts'
import { browserSecret, PROVIDER_PATH, sendToProvider, showIdentityError, showIdentityProblem } from './provider.ts'
import { beginProviderSignUp, registerProviderSignUp } from './provider-sign-up.ts'
import { passFirstStep } from './second-step.ts'
import { showRefusal } from './sign-in.ts'

export function registerProviderSignIn(app: FastifyInstance, ctx: Context): void {
  if (!ctx.config.oidc) return
  app.post(PROVIDER_PATH, async (request, reply) => begin({ ctx, request, reply }))
  app.get(OIDC_CALLBACK, async (request, reply) => finish({ ctx, request, reply }))
  registerProviderSignUp(app, ctx)
}

async function begin(visit: FormVisit): Promise<FastifyReply> {
  const { ctx, request } = visit
  await checkForm(ctx, request)
  await limitUse(ctx, 'provider-sign-in', addressKey(request.ip))
  const asked = {
    next: localPath(textParam(request.body, 'next')),
    inviteCode: textParam(request.body, 'invite_code').slice(0, 100),
    userId: null,
  }
  return sendToProvider(visit, asked, { again: textParam(request.body, 'again') !== '' })
}

async function finish(visit: FormVisit): Promise<FastifyReply> {
  const { ctx, request } = visit
  const { provider, settings } = identityProvider(ctx)
  const browser = browserSecret(visit)
  const asked = browser === null ? null : await takeIdentityRequest(ctx, browser, textParam(request.query, 'state'))
  if (!asked) return showIdentityProblem(visit, 'expired', null)
  let claims: IdentityClaims
  try {
    claims = await provider.identify(request.url.split('?')[1] ?? '', asked.checks)
  } catch (error) {
    return showIdentityError(visit, error, asked.next)
  }
  const identity = identityOf(claims, settings)
  if (asked.userId !== null) return connect(visit, identity, asked.userId)
  const user = await findIdentityUser(ctx, identity)
  return user
    ? signInUser(visit, { ...user, authenticatedAt: claims.authenticatedAt }, asked.next)
    : welcome(visit, identity, asked)
}

async function connect(visit: FormVisit, identity: ProvenIdentity, userId: string): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  if ((await currentSession(ctx, request))?.userId !== userId) return showIdentityProblem(visit, 'expired', null)
  try {
    await connectIdentity(ctx, identity, userId)
  } catch (error) {
    if (error instanceof Conflict) return showIdentityProblem(visit, 'connected', null)
    throw error
  }
  return reply.redirect('/auth/edit?notice=connected', 303)
}

/** `authenticatedAt`: at the provider, if it says so. */
type ProvenUser = IdentityUser & { authenticatedAt: Date | null }

const signInUser = (visit: FormVisit, user: ProvenUser, next: string | null): Promise<FastifyReply> =>
  passFirstStep(visit, { ...user, method: 'provider' }, next, () => showRefusal(visit, user.state, next))

async function welcome(
  visit: FormVisit,
  identity: ProvenIdentity,
  { next, inviteCode }: IdentityRequest,
): Promise<FastifyReply> {
  if (await isEmailTaken(visit.ctx, identity)) return showIdentityProblem(visit, 'taken', next)
  return beginProviderSignUp(visit, { identity, next, inviteCode })
}
