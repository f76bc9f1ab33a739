// /auth/sign_up: somebody joins.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { MAX_REASON, needsReason, register } from '../domain/auth/registration.ts'
import { MAX_USERNAME, MIN_PASSWORD } from '../domain/auth/user-rules.ts'
import { listRules } from '../domain/server/rules.ts'
import { getSettings, type Settings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type Visit } from '../html/form-page.ts'
import { checkbox, field } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { findVisitor } from '../html/session.ts'
import { html, type Html } from '../lib/html.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'

const parameter = (name: string): string => `user[${name}]`

type Filled = { username: string; email: string; reason: string; dateOfBirth: string; agreement: boolean }
const EMPTY: Filled = { username: '', email: '', reason: '', dateOfBirth: '', agreement: false }

export function registerSignUp(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_up', async (request, reply) => {
    if (await findVisitor(ctx, request)) return reply.redirect('/')
    return show({ ctx, request, reply }, EMPTY, noProblems)
  })
  app.post('/auth/sign_up', async (request, reply) => join({ ctx, request, reply }))
  app.get('/auth/sign_up/done', async (request, reply) => showNext({ ctx, request, reply }))
}

async function join(visit: Visit): Promise<FastifyReply> {
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
    await register(ctx, { ...filled, password: text('password') }, { ip: request.ip, appId: null })
  } catch (error) {
    return show(visit, filled, problemsOf(error, parameter))
  }
  return reply.redirect('/auth/sign_up/done', 303)
}

async function show(visit: Visit, filled: Filled, problems: FormProblems): Promise<FastifyReply> {
  const [settings, rules] = await Promise.all([getSettings(visit.ctx), listRules(visit.ctx)])
  if (settings.registrations_mode === 'none') return showClosed(visit, settings)
  return sendFormPage(visit, {
    title: 'Sign up',
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>Join ${settings.site_title}</h1>
<p class="lead">${settings.site_short_description}</p>
${settings.registrations_mode === 'approved' && html`<p>The people who run this server look at each request to join. You will get a mail when yours is decided.</p>`}
<form method="post" action="/auth/sign_up">${csrf}
${fields(visit.ctx, settings, filled, problems)}
${rules.length > 0 && html`<h2>Rules of this server</h2><ol>${rules.map(({ text, hint }) => html`<li>${text}${hint !== '' && html`<br><span class="muted">${hint}</span>`}</li>`)}</ol>`}
${checkbox({ label: rules.length > 0 ? 'I will keep to these rules, and I agree to the privacy policy' : 'I agree to the rules and the privacy policy of this server', name: parameter('agreement'), checked: filled.agreement, error: problems.of('agreement'), required: true })}
<p class="links">Read <a href="/about" target="_blank">what this server is about</a>${settings.privacy_policy.trim() && html` and its <a href="/privacy-policy" target="_blank">privacy policy</a>`}.</p>
<div class="actions"><button>Sign up</button></div>
</form>
<p class="links">Here already? <a href="/auth/sign_in">Sign in</a></p>
</section>`,
  })
}

function fields(ctx: Context, settings: Settings, filled: Filled, problems: FormProblems): Html {
  const reason = settings.registrations_mode === 'approved'
  return html`${field({
    label: 'Username',
    name: parameter('username'),
    value: filled.username,
    error: problems.of('username'),
    hint: 'Letters, numbers and underscores. It cannot be changed later.',
    suffix: `@${ctx.config.localDomain}`,
    autocomplete: 'username',
    maxLength: MAX_USERNAME,
    required: true,
    literal: true,
  })}${field({
    label: 'E-mail address',
    name: parameter('email'),
    type: 'email',
    value: filled.email,
    error: problems.of('email'),
    hint: 'Nobody sees it. We send a link there to confirm it.',
    autocomplete: 'email',
    required: true,
  })}${field({
    label: 'Password',
    name: parameter('password'),
    type: 'password',
    error: problems.of('password'),
    hint: `At least ${MIN_PASSWORD} characters.`,
    autocomplete: 'new-password',
    minLength: MIN_PASSWORD,
    required: true,
  })}${
    settings.min_age !== null &&
    field({
      label: 'Date of birth',
      name: parameter('date_of_birth'),
      type: 'date',
      value: filled.dateOfBirth,
      error: problems.of('date_of_birth'),
      hint: `You must be at least ${settings.min_age} years old. The date is not kept.`,
      autocomplete: 'bday',
      required: true,
    })
  }${
    reason &&
    field({
      label: 'Why do you want to join?',
      name: parameter('reason'),
      type: 'textarea',
      value: filled.reason,
      error: problems.of('reason'),
      maxLength: MAX_REASON,
      required: needsReason(settings),
    })
  }`
}

function showClosed(visit: Visit, settings: Settings): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'Sign-up is closed',
    status: 403,
    body: () => html`<section class="card">
<h1>Sign-up is closed</h1>
<p class="lead">${settings.closed_registrations_message || `${settings.site_title} takes no new members at the moment.`}</p>
<p>You can follow people here from any other server that speaks ActivityPub.</p>
<p class="links">Here already? <a href="/auth/sign_in">Sign in</a></p>
</section>`,
  })
}

async function showNext(visit: Visit): Promise<FastifyReply> {
  const { registrations_mode: mode } = await getSettings(visit.ctx)
  return sendFormPage(visit, {
    title: 'Check your mail',
    body: () => html`<section class="card">
<h1>Check your mail</h1>
<p class="lead">We have sent you a link. Follow it to confirm your e-mail address.</p>
${mode === 'approved' && html`<p>After that the people who run this server will look at your request. You will get a mail when it is decided.</p>`}
${visit.ctx.config.smtp === null && html`<p class="muted">This server has no mail server set. Whoever runs it finds the mail in its log, and in the folder <code>mail</code> of its data.</p>`}
<p class="links">Nothing arrived? Look into the spam folder, or <a href="/auth/confirmation/new">ask for another mail</a>.</p>
</section>`,
  })
}
