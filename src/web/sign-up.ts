import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { checkSignUpAllowed, register } from '../actions/auth/sign-up.ts'
import { takeCaptcha } from '../domain/registration/captcha.ts'
import type { Invite } from '../domain/registration/invites.ts'
import { getSettings, type Settings } from '../domain/server/settings.ts'
import { captchaScriptPath } from '../html/assets.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormPage, type FormVisit } from '../html/form-page.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession } from '../html/session.ts'
import { languageFor } from '../http/language.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { Forbidden, invalidFieldWithDetails } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { isAgain, linkQuery, localPath, sendMailSentPage, userParameter } from './auth-forms.ts'
import { captchaField } from './captcha.ts'
import { ADDRESS_PATH, linkSentTo } from './confirmation.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'
import { providerButton } from './provider.ts'
import {
  accountFields,
  type Conditions,
  EMPTY,
  fieldsIn,
  readConditions,
  signUpForm,
  type SignUpFields,
} from './sign-up-form.ts'

const NEXT = '/auth/sign_up/done'
/** The address that the link went to. */
const MAILED = 'rookery_mailed'

export function registerSignUp(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_up', async (request, reply) => {
    if ((await currentSession(ctx, request)) && !isAgain(request)) return reply.redirect('/')
    return show({ ctx, request, reply }, textParam(request.query, 'invite_code'), EMPTY, noProblems)
  })
  app.post('/auth/sign_up', async (request, reply) => join({ ctx, request, reply }))
  app.get(NEXT, async (request, reply) => showNext({ ctx, request, reply }))
}

async function join(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request } = visit
  await checkForm(ctx, request)
  if (ctx.config.omniauthOnly) throw new Forbidden()
  const text = (name: string): string => textParam(request.body, 'user', name)
  const filled = fieldsIn(request.body)
  const inviteCode = text('invite_code')
  await limitUse(ctx, 'sign-up', addressKey(request.ip))
  try {
    if ((await getSettings(ctx)).captcha_enabled && !(await takeCaptcha(ctx, text('captcha'))))
      throw invalidFieldWithDetails('captcha', 'captcha_unsolved')
    const form = { ...filled, password: text('password'), locale: languageFor(request), inviteCode }
    const { approved } = await register(ctx, form, { ip: request.ip, appId: null })
    return redirectToNext(visit, { email: filled.email, approved, hasPassword: true })
  } catch (error) {
    return show(
      visit,
      inviteCode,
      filled,
      error instanceof Forbidden ? noProblems : problemsOf(t, error, userParameter),
    )
  }
}

async function show(
  visit: FormVisit,
  inviteCode: string,
  filled: SignUpFields,
  problems: FormProblems,
): Promise<FastifyReply> {
  const { ctx, request } = visit
  const t = textsFor(request)
  const conditions = await readConditions(ctx, inviteCode)
  const refuse = await findSignUpRefusal(visit, conditions)
  if (refuse) return refuse()
  const { settings, invite } = conditions
  const { oidc, omniauthOnly } = ctx.config
  const next = localPath(textParam(request.query, 'next'))
  const withCaptcha = settings.captcha_enabled && !omniauthOnly
  const captcha = withCaptcha ? await captchaField(ctx, t, userParameter('captcha'), problems.of('captcha')) : null
  const account = accountFields(ctx, t, filled, problems)
  const page = { ...conditions, t, filled, problems, account, captcha, action: '/auth/sign_up' }
  return sendFormPage(visit, {
    title: t.sign_up.title,
    status: problems === noProblems ? 200 : 422,
    ...(withCaptcha ? { script: captchaScriptPath } : {}),
    ...lostInvitation(t, conditions),
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.sign_up.join({ server: settings.site_title })}</h1>
<p class="lead">${settings.site_short_description}</p>
${introduction(t, settings, invite)}
${!omniauthOnly && signUpForm(page, csrf)}
${oidc && !omniauthOnly && html`<hr>`}
${oidc && providerButton(visit, { csrf, next, inviteCode, label: t.provider.sign_up({ name: oidc.displayName }), isMain: omniauthOnly })}
<p class="links">${signInLine(t, request)}</p>
</section>`,
  })
}

export function introduction({ sign_up: t }: Texts, settings: Settings, invite: Invite | null): Html | null {
  if (invite) return html`<p>${t.invited({ username: invite.username, server: settings.site_title })}</p>`
  return settings.registrations_mode === 'approved' ? html`<p>${t.approval}</p>` : null
}

export const lostInvitation = (t: Texts, { isInviteLost }: Conditions): Pick<FormPage, 'notice'> =>
  isInviteLost ? { notice: { text: t.sign_up.invitation_ended, kind: 'info' } } : {}

/**
 * Returns a function that sends the page that says why sign-up is not possible; null where it is. A function, as a promise of a
 * reply is fulfilled only once the reply was sent, and then without a value.
 */
export async function findSignUpRefusal(
  visit: FormVisit,
  conditions: Conditions,
): Promise<(() => Promise<FastifyReply>) | null> {
  const { settings, invite } = conditions
  try {
    await checkSignUpAllowed(visit.ctx, settings, visit.request.ip, invite)
    return null
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    if (settings.registrations_mode === 'none' && invite === null) return () => showClosed(visit, conditions)
    return () => showBlocked(visit)
  }
}

const signInLine = (t: Texts, request: FastifyRequest): Html =>
  fillText(t.sign_up.have_account, {
    link: html`<a href="/auth/sign_in${linkQuery(request, null)}">${t.sign_in.title}</a>`,
  })

function showBlocked(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.sign_up.blocked,
    status: 403,
    body: () => html`<section class="card">
<h1>${t.sign_up.blocked}</h1>
<p class="lead">${t.sign_up.blocked_text}</p>
<p class="links">${signInLine(t, visit.request)}</p>
</section>`,
  })
}

function showClosed(visit: FormVisit, conditions: Conditions): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { settings } = conditions
  return sendFormPage(visit, {
    title: t.sign_up.closed,
    status: 403,
    ...lostInvitation(t, conditions),
    body: () => html`<section class="card">
<h1>${t.sign_up.closed}</h1>
<p class="lead">${settings.closed_registrations_message || t.sign_up.closed_text({ server: settings.site_title })}</p>
<p>${t.sign_up.follow_from_elsewhere}</p>
<p class="links">${signInLine(t, visit.request)}</p>
</section>`,
  })
}

type SignedUp = { email: string; approved: boolean; hasPassword: boolean }

/** Leads to the page that says what comes next. The e-mail address goes there in a cookie: URLs end up in logs. */
export function redirectToNext({ ctx, reply }: FormVisit, { email, approved, hasPassword }: SignedUp): FastifyReply {
  writeCookie(ctx, reply, { name: MAILED, value: email, days: 1 / 24 })
  const query = new URLSearchParams({ ...(approved ? {} : { review: '1' }), ...(hasPassword ? {} : { provider: '1' }) })
  return reply.redirect(query.size === 0 ? NEXT : `${NEXT}?${query}`, 303)
}

async function showNext(visit: FormVisit): Promise<FastifyReply> {
  const { ctx, request } = visit
  const t = textsFor(request)
  const isSet = (name: string): boolean => textParam(request.query, name) === '1'
  const email = readCookie(ctx, request, MAILED)
  const mayCorrect = !ctx.config.omniauthOnly && !isSet('provider')
  return sendMailSentPage(visit, {
    lead: email === null ? t.sign_up.link_sent : linkSentTo(t, email),
    more: html`${mayCorrect && html`<p><a href="${ADDRESS_PATH}">${t.confirmation.wrong_address}</a></p>`}
${isSet('review') && html`<p>${t.sign_up.then_review}</p>`}`,
    retry: '/auth/confirmation/new',
  })
}
