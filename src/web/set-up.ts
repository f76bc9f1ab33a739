// /auth/setup: the first page that anybody sees of a new server.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import type { RegistrationsMode } from '../config.ts'
import { setUp, isSetUpLinkValid } from '../actions/auth/set-up.ts'
import { MAX_USERNAME, MIN_PASSWORD } from '../domain/auth/user-rules.ts'
import { getSettings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field, radioGroup } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession, startSession } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from './form-problems.ts'

const MODES = ['open', 'approved', 'none'] as const
const MAX_TITLE = 60

type Filled = { token: string; title: string; username: string; email: string; mode: RegistrationsMode }

export function registerSetUp(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/setup', async (request, reply) => {
    const token = textParam(request.query, 'token')
    if (!(await isSetUpLinkValid(ctx, token))) return showClosed({ ctx, request, reply })
    const { site_title: title, registrations_mode: mode } = await getSettings(ctx)
    return show({ ctx, request, reply }, { token, title, mode, username: '', email: '' }, noProblems)
  })
  app.post('/auth/setup', async (request, reply) => save({ ctx, request, reply }))
  app.get('/auth/setup/done', async (request, reply) => {
    const session = await currentSession(ctx, request)
    return session
      ? showNext({ ctx, request, reply }, session.username)
      : reply.redirect('/auth/sign_in?next=%2Fauth%2Fsetup%2Fdone')
  })
}

async function save(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  const text = (...path: string[]): string => textParam(request.body, ...path).trim()
  const mode = MODES.find((known) => known === text('registrations_mode')) ?? 'none'
  const filled = {
    token: text('token'),
    title: text('site_title'),
    username: text('user', 'username'),
    email: text('user', 'email'),
    mode,
  }
  if (!(await isSetUpLinkValid(ctx, filled.token))) return showClosed(visit)
  const titleProblem =
    filled.title === ''
      ? 'Give the server a name'
      : [...filled.title].length > MAX_TITLE
        ? `The name may have ${MAX_TITLE} characters`
        : null
  if (titleProblem) return show(visit, filled, oneProblem(t, titleProblem, 'site_title'))
  try {
    const owner = await setUp(ctx, filled.token, {
      ...filled,
      registrationsMode: mode,
      password: textParam(request.body, 'user', 'password'),
    })
    await startSession(ctx, request, reply, owner.userId)
  } catch (error) {
    return show(
      visit,
      filled,
      problemsOf(t, error, (name) => `user[${name}]`),
    )
  }
  return reply.redirect('/auth/setup/done', 303)
}

function show(visit: FormVisit, filled: Filled, problems: FormProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: 'Set up your server',
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>Welcome to your new server</h1>
<p class="lead">Two minutes, and it is yours. Everything here can be changed later, but for your username.</p>
<form method="post" action="/auth/setup">${csrf}<input type="hidden" name="token" value="${filled.token}">
<h2>The server</h2>
${serverFields(t, visit.ctx, filled, problems)}
<h2>You</h2>
${ownerFields(t, visit.ctx, filled, problems)}
<div class="actions"><button>Set up the server</button></div>
</form>
</section>`,
  })
}

function serverFields(t: Texts, ctx: Context, filled: Filled, problems: FormProblems): Html {
  const name = field(t, {
    label: 'Name of the server',
    name: 'site_title',
    value: filled.title,
    error: problems.of('site_title'),
    maxLength: MAX_TITLE,
    required: true,
  })
  // What the environment fixes is not asked.
  if (ctx.config.registrationsMode !== null)
    return html`${name}<input type="hidden" name="registrations_mode" value="${ctx.config.registrationsMode}">`
  return html`${name}${radioGroup({
    legend: 'Who may sign up?',
    name: 'registrations_mode',
    value: filled.mode,
    options: [
      { value: 'open', label: 'Everybody', hint: 'Whoever confirms a mail address is in.' },
      { value: 'approved', label: 'Whom you approve', hint: 'You decide about each request.' },
      { value: 'none', label: 'Nobody', hint: 'You make accounts on the command line.' },
    ],
  })}`
}

function ownerFields(t: Texts, ctx: Context, filled: Filled, problems: FormProblems): Html {
  return html`<p>Your account owns the server, and is a normal account beside that.</p>
${field(t, { label: 'Username', name: 'user[username]', value: filled.username, error: problems.of('username'), hint: 'Letters, numbers and underscores.', suffix: `@${ctx.config.localDomain}`, autocomplete: 'username', maxLength: MAX_USERNAME, required: true, literal: true })}
${field(t, { label: 'E-mail address', name: 'user[email]', type: 'email', value: filled.email, error: problems.of('email'), hint: 'To sign in, and shown as the contact of this server.', autocomplete: 'email', required: true })}
${field(t, { label: 'Password', name: 'user[password]', type: 'password', error: problems.of('password'), hint: `At least ${MIN_PASSWORD} characters.`, autocomplete: 'new-password', minLength: MIN_PASSWORD, required: true })}`
}

function showClosed(visit: FormVisit): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'This link does not work',
    status: 404,
    body: () => html`<section class="card">
<h1>This link does not work</h1>
<p class="lead">The server is set up already, or was started again since: then its newest link is the one that works.</p>
<div class="actions"><a class="button" href="/auth/sign_in">Sign in</a></div>
</section>`,
  })
}

async function showNext(visit: FormVisit, username: string): Promise<FastifyReply> {
  const { ctx } = visit
  const { registrations_mode: mode } = await getSettings(ctx)
  return sendFormPage(visit, {
    title: 'Your server is ready',
    kind: 'reading',
    body: () => html`<section class="card">
<h1>Your server is ready</h1>
<p class="lead">You are <strong>@${username}@${ctx.config.localDomain}</strong>. Here is what to do next.</p>
<ol>
<li><strong>Connect an app.</strong> Any client for Mastodon works. When it asks for your server, enter <code>${ctx.config.webDomain}</code>.</li>
<li><strong>Write your first post</strong>, and add a picture and a few words about yourself in the app’s profile settings.</li>
<li><strong>Follow somebody on another server:</strong> search for their whole handle, such as <code>@name@example.org</code>, in the app.</li>
${mode !== 'none' && html`<li><strong>Invite people:</strong> send them to <a href="/auth/sign_up">${ctx.config.baseUrl}/auth/sign_up</a>.</li>`}
</ol>
${ctx.config.smtp === null && html`<p class="notice info">No mail server is set, so mails, such as the links that confirm addresses, are written to the log and to the folder <code>mail</code> of the server’s data. Set <code>SMTP_SERVER</code> before others join.</p>`}
<div class="actions"><a class="button" href="/">Go to the start page</a><a class="button secondary" href="/@${username}">See your profile</a></div>
</section>`,
  })
}
