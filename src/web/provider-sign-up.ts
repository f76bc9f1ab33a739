// /auth/auth/openid_connect/sign_up: what remains to be done when people without an account have signed in at the provider.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { registerIdentity } from '../actions/auth/identities.ts'
import type { Context } from '../context.ts'
import { findByIdentity, freeUsername, identityProvider, type IdentityUser } from '../domain/auth/identities.ts'
import { findIdentitySignUp, storeIdentitySignUp, type IdentitySignUp } from '../domain/auth/identity-requests.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { fieldId } from '../html/forms.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { clearCookie, readCookie, writeCookie } from '../http/cookies.ts'
import { languageFor } from '../http/language.ts'
import { limitUse } from '../http/ratelimit.ts'
import { Forbidden } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'
import { PROVIDER_PATH, showIdentityProblem } from './provider.ts'
import { passFirstStep } from './second-step.ts'
import { showRefusal } from './sign-in.ts'
import { findSignUpRefusal, introduction, lostInvitation, redirectToNext } from './sign-up.ts'
import { userParameter } from './auth-forms.ts'
import { EMPTY, emailField, fieldsIn, readConditions, signUpForm, type SignUpFields } from './sign-up-form.ts'

const PATH = `${PROVIDER_PATH}/sign_up`
const COOKIE = 'rookery_provider_sign_up'

export function registerProviderSignUp(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => withSignUp({ ctx, request, reply }, show))
  app.post(PATH, async (request, reply) => {
    await checkForm(ctx, request)
    return withSignUp({ ctx, request, reply }, join)
  })
}

export async function beginProviderSignUp(visit: FormVisit, signUp: IdentitySignUp): Promise<FastifyReply> {
  writeCookie(visit.ctx, visit.reply, { name: COOKIE, value: await storeIdentitySignUp(visit.ctx, signUp) })
  return visit.reply.redirect(PATH, 303)
}

/** Signs in a user whose account was created in another window meanwhile. */
async function withSignUp(
  visit: FormVisit,
  work: (visit: FormVisit, signUp: IdentitySignUp) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { ctx, request } = visit
  const secret = readCookie(ctx, request, COOKIE)
  const signUp = secret === null ? null : await findIdentitySignUp(ctx, secret)
  if (!signUp) return showIdentityProblem(visit, 'expired', null)
  const user = await findByIdentity(ctx, signUp.identity)
  return user ? signInUser(visit, user, signUp) : work(visit, signUp)
}

async function signInUser(visit: FormVisit, user: IdentityUser, { next }: IdentitySignUp): Promise<FastifyReply> {
  clearCookie(visit.ctx, visit.reply, COOKIE)
  const step = { ...user, method: 'provider', authenticatedAt: null } as const
  return passFirstStep(visit, step, next, () => showRefusal(visit, user.state, next))
}

async function join(visit: FormVisit, signUp: IdentitySignUp): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  const t = textsFor(request)
  // Not by IP address: an identity gets one account, and all people of an organisation may sign up at once.
  await limitUse(ctx, 'sign-up', `identity ${signUp.identity.issuer} ${signUp.identity.subject}`)
  const filled = fieldsIn(request.body)
  let user: IdentityUser | null
  try {
    const form = { ...filled, locale: languageFor(request), inviteCode: signUp.inviteCode }
    user = await registerIdentity(ctx, signUp.identity, form, request.ip)
  } catch (error) {
    if (error instanceof Forbidden) return show(visit, signUp)
    return show(visit, signUp, filled, problemsOf(t, error, userParameter))
  }
  if (user?.state !== 'unconfirmed' && user?.state !== 'pending')
    return user ? signInUser(visit, user, signUp) : showIdentityProblem(visit, 'expired', signUp.next)
  clearCookie(ctx, reply, COOKIE)
  if (user.state === 'pending') return showPending(visit)
  const email = signUp.identity.email ?? filled.email
  return redirectToNext(visit, { email, approved: user.approved, hasPassword: false })
}

async function show(
  visit: FormVisit,
  { identity, inviteCode }: IdentitySignUp,
  filled: SignUpFields = EMPTY,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, request } = visit
  const t = textsFor(request)
  const [conditions, username] = await Promise.all([
    readConditions(ctx, inviteCode),
    freeUsername(ctx, identity.username),
  ])
  const refuse = await findSignUpRefusal(visit, conditions)
  if (refuse) return refuse()
  const { settings, invite } = conditions
  const { displayName: name } = identityProvider(ctx).settings
  const handle = `@${username}@${ctx.config.localDomain}`
  const account = html`${about('username', fillText(t.provider.username, { handle: html`<strong><bdi>${handle}</bdi></strong>` }), problems)}
${emailPart(t, identity, filled, problems)}`
  const page = { ...conditions, t, filled, problems, account, captcha: null, action: PATH }
  return sendFormPage(visit, {
    title: t.sign_up.title,
    status: problems === noProblems ? 200 : 422,
    ...lostInvitation(t, conditions),
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.sign_up.join({ server: settings.site_title })}</h1>
<p class="lead">${t.provider.almost({ name })}</p>
${introduction(t, settings, invite)}
${signUpForm(page, csrf)}
</section>`,
  })
}

function emailPart(
  t: Texts,
  { email, emailVerified }: IdentitySignUp['identity'],
  filled: SignUpFields,
  problems: FormProblems,
): Html {
  if (email === null) return emailField(t, filled, problems)
  const text = emailVerified ? t.provider.email : t.provider.email_unverified
  return about('email', fillText(text, { email: html`<strong><bdi>${email}</bdi></strong>` }), problems)
}

/** A value that the provider has decided. The summary of the problems links to it. */
function about(name: string, text: Html, problems: FormProblems): Html {
  const problem = problems.of(name)
  return html`<p id="${fieldId(userParameter(name))}" tabindex="-1">${text}</p>${problem && html`<p class="field-error">${problem}</p>`}`
}

function showPending(visit: FormVisit): Promise<FastifyReply> {
  const { sign_up: t, provider } = textsFor(visit.request)
  return sendFormPage(visit, {
    title: provider.applied,
    body: () => html`<section class="card">
<h1>${provider.applied}</h1>
<p class="lead">${t.approval}</p>
</section>`,
  })
}
