// The OpenID Connect provider: the button that leads there, and the page that browsers see when a sign-in there did not work.
import type { FastifyReply } from 'fastify'
import { identityProvider } from '../domain/auth/identities.ts'
import { beginIdentityRequest, type IdentityRequest } from '../domain/auth/identity-requests.ts'
import { newSecret } from '../domain/auth/tokens.ts'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { textsFor } from '../html/texts.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import { html, type Html } from '../lib/html.ts'
import { IdentityError, type IdentityProblem } from '../net/identity-provider.ts'
import { isAgain } from './auth-forms.ts'

/** As in Mastodon. */
export const PROVIDER_PATH = '/auth/auth/openid_connect'
const COOKIE = 'rookery_provider'

/** The secret that binds sign-ins at the provider to this browser; null without one. */
export function browserSecret({ ctx, request }: FormVisit): string | null {
  const secret = readCookie(ctx, request, COOKIE)
  return secret !== null && /^[\w-]{43}$/.test(secret) ? secret : null
}

/** `again`: also where the browser is signed in there. */
export async function sendToProvider(
  visit: FormVisit,
  asked: IdentityRequest,
  { again = false }: { again?: boolean } = {},
): Promise<FastifyReply> {
  const { ctx, reply } = visit
  const browser = browserSecret(visit) ?? newSecret()
  try {
    const checks = await beginIdentityRequest(ctx, browser, asked)
    const url = await identityProvider(ctx).provider.authorizationUrl(checks, { again })
    writeCookie(ctx, reply, { name: COOKIE, value: browser })
    return await showWayToProvider(visit, url)
  } catch (error) {
    return showIdentityError(visit, error, asked.next)
  }
}

/**
 * Sends a page that leads to the provider, instead of a redirect. Browsers apply the policy about forms to redirects after a
 * form, and a provider may redirect to any other address. So the policy of pages with a password field can stay strict.
 */
function showWayToProvider(visit: FormVisit, url: string): Promise<FastifyReply> {
  const { provider: t } = textsFor(visit.request)
  const { displayName: name } = identityProvider(visit.ctx).settings
  void visit.reply.header('refresh', `0;url=${url}`)
  return sendFormPage(visit, {
    title: t.sign_in({ name }),
    body: () => html`<section class="card">
<h1>${t.sign_in({ name })}</h1>
<p class="lead">${t.leaving({ name })}</p>
<div class="actions"><a class="button" href="${url}">${t.sign_in({ name })}</a></div>
</section>`,
  })
}

type Button = { csrf: Html; label: string; next: string | null; inviteCode?: string; isMain: boolean }

export const providerButton = ({ request }: FormVisit, { csrf, label, next, inviteCode, isMain }: Button): Html =>
  html`<form method="post" action="${PROVIDER_PATH}">${csrf}${
    next && html`<input type="hidden" name="next" value="${next}">`
  }${inviteCode && html`<input type="hidden" name="invite_code" value="${inviteCode}">`}${
    isAgain(request) && html`<input type="hidden" name="again" value="1">`
  }
<div class="actions"><button${!isMain && html` class="secondary"`}>${label}</button></div>
</form>`

/** `expired`: begun in another browser, too long ago, or answered before. `taken`: an account has the mail address. */
type Problem = IdentityProblem | 'expired' | 'taken' | 'connected'

const STATUS: Record<Problem, number> = {
  denied: 403,
  unreachable: 503,
  clock: 422,
  invalid: 422,
  expired: 400,
  taken: 409,
  connected: 409,
}

/** Rethrows errors of another kind. */
export function showIdentityError(visit: FormVisit, error: unknown, next: string | null): Promise<FastifyReply> {
  if (!(error instanceof IdentityError)) throw error
  const { problem, code } = error
  if (problem !== 'denied') visit.request.log.warn({ problem, code }, 'identity-provider.failed')
  return showIdentityProblem(visit, problem, next)
}

export function showIdentityProblem(visit: FormVisit, problem: Problem, next: string | null): Promise<FastifyReply> {
  const { provider: t, sign_in: signIn } = textsFor(visit.request)
  const { displayName: name } = identityProvider(visit.ctx).settings
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`
  const texts = t.problems[problem]
  return sendFormPage(visit, {
    title: texts.title,
    status: STATUS[problem],
    body: () => html`<section class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.text({ name })}</p>
<div class="actions"><a class="button" href="${problem === 'connected' ? '/auth/edit' : `/auth/sign_in${query}`}">${problem === 'connected' ? t.back : signIn.title}</a></div>
</section>`,
  })
}
