import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { register } from '../actions/auth/users.ts'
import { MAX_USERNAME, MIN_PASSWORD, MAX_REASON, needsReason } from '../domain/auth/user-rules.ts'
import { listRules, ruleIn } from '../domain/server/rules.ts'
import { getSettings, type Settings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { checkbox, field } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession } from '../html/session.ts'
import { languageFor } from '../http/language.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'

const parameter = (name: string): string => `user[${name}]`

type Filled = { username: string; email: string; reason: string; dateOfBirth: string; agreement: boolean }
const EMPTY: Filled = { username: '', email: '', reason: '', dateOfBirth: '', agreement: false }

export function registerSignUp(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_up', async (request, reply) => {
    if (await currentSession(ctx, request)) return reply.redirect('/')
    return show({ ctx, request, reply }, EMPTY, noProblems)
  })
  app.post('/auth/sign_up', async (request, reply) => join({ ctx, request, reply }))
  app.get('/auth/sign_up/done', async (request, reply) => showNext({ ctx, request, reply }))
}

async function join(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  const text = (name: string): string => textParam(request.body, 'user', name)
  const filled = {
    username: text('username'),
    email: text('email'),
    reason: text('reason'),
    dateOfBirth: text('date_of_birth'),
    agreement: text('agreement') === '1',
  }
  await limitUse(ctx, 'sign-up', addressKey(request.ip))
  try {
    await register(
      ctx,
      { ...filled, password: text('password'), locale: languageFor(request) },
      { ip: request.ip, appId: null },
    )
  } catch (error) {
    return show(visit, filled, problemsOf(t, error, parameter))
  }
  return reply.redirect('/auth/sign_up/done', 303)
}

async function show(visit: FormVisit, filled: Filled, problems: FormProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const [settings, rules] = await Promise.all([getSettings(visit.ctx), listRules(visit.ctx)])
  if (settings.registrations_mode === 'none') return showClosed(visit, settings)
  return sendFormPage(visit, {
    title: t.sign_up.title,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.sign_up.join({ server: settings.site_title })}</h1>
<p class="lead">${settings.site_short_description}</p>
${settings.registrations_mode === 'approved' && html`<p>${t.sign_up.approval}</p>`}
<form method="post" action="/auth/sign_up">${csrf}
${fields(t, visit.ctx, settings, filled, problems)}
${rules.length > 0 && html`<h2>${t.sign_up.rules}</h2><ol>${rules.map((rule) => ruleIn(rule, t.language)).map(({ text, hint }) => html`<li>${text}${hint !== '' && html`<br><span class="muted">${hint}</span>`}</li>`)}</ol>`}
${checkbox({ label: rules.length > 0 ? t.sign_up.agree_with_rules : t.sign_up.agree, name: parameter('agreement'), checked: filled.agreement, error: problems.of('agreement'), required: true })}
<p class="links">${readingLinks(t, settings)}</p>
<div class="actions"><button>${t.sign_up.title}</button></div>
</form>
<p class="links">${signInLine(t)}</p>
</section>`,
  })
}

const signInLine = (t: Texts): Html =>
  fillText(t.sign_up.have_account, { link: html`<a href="/auth/sign_in">${t.sign_in.title}</a>` })

function readingLinks({ sign_up: texts }: Texts, { privacy_policy }: Settings): Html {
  const about = html`<a href="/about" target="_blank">${texts.about}</a>`
  const policy = html`<a href="/privacy-policy" target="_blank">${texts.policy}</a>`
  return privacy_policy.trim()
    ? fillText(texts.read_about_and_policy, { about, policy })
    : fillText(texts.read_about, { about })
}

function fields(t: Texts, ctx: Context, settings: Settings, filled: Filled, problems: FormProblems): Html {
  const reason = settings.registrations_mode === 'approved'
  return html`${field(t, {
    label: t.form.username,
    name: parameter('username'),
    value: filled.username,
    error: problems.of('username'),
    hint: t.sign_up.username_hint,
    suffix: `@${ctx.config.localDomain}`,
    autocomplete: 'username',
    maxLength: MAX_USERNAME,
    required: true,
    literal: true,
  })}${field(t, {
    label: t.form.email,
    name: parameter('email'),
    type: 'email',
    value: filled.email,
    error: problems.of('email'),
    hint: t.sign_up.email_hint,
    autocomplete: 'email',
    required: true,
  })}${field(t, {
    label: t.form.password,
    name: parameter('password'),
    type: 'password',
    error: problems.of('password'),
    hint: t.form.min_characters({ count: MIN_PASSWORD }),
    autocomplete: 'new-password',
    minLength: MIN_PASSWORD,
    required: true,
  })}${
    settings.min_age !== null &&
    field(t, {
      label: t.sign_up.date_of_birth,
      name: parameter('date_of_birth'),
      type: 'date',
      value: filled.dateOfBirth,
      error: problems.of('date_of_birth'),
      hint: t.sign_up.date_of_birth_hint({ years: settings.min_age }),
      autocomplete: 'bday',
      required: true,
    })
  }${
    reason &&
    field(t, {
      label: t.sign_up.reason,
      name: parameter('reason'),
      type: 'textarea',
      value: filled.reason,
      error: problems.of('reason'),
      maxLength: MAX_REASON,
      required: needsReason(settings),
    })
  }`
}

function showClosed(visit: FormVisit, settings: Settings): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.sign_up.closed,
    status: 403,
    body: () => html`<section class="card">
<h1>${t.sign_up.closed}</h1>
<p class="lead">${settings.closed_registrations_message || t.sign_up.closed_text({ server: settings.site_title })}</p>
<p>${t.sign_up.follow_from_elsewhere}</p>
<p class="links">${signInLine(t)}</p>
</section>`,
  })
}

async function showNext(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { registrations_mode: mode } = await getSettings(visit.ctx)
  return sendFormPage(visit, {
    title: t.sign_up.check_mail,
    body: () => html`<section class="card">
<h1>${t.sign_up.check_mail}</h1>
<p class="lead">${t.sign_up.link_sent}</p>
${mode === 'approved' && html`<p>${t.sign_up.then_review}</p>`}
${visit.ctx.config.smtp === null && html`<p class="muted">${fillText(t.sign_up.no_mail_server, { folder: html`<code>mail</code>` })}</p>`}
<p class="links">${fillText(t.sign_up.nothing_arrived, { retry: html`<a href="/auth/confirmation/new">${t.sign_up.retry}</a>` })}</p>
</section>`,
  })
}
