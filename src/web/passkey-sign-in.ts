import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { signInOptions, usePasskey } from '../domain/auth/passkeys.ts'
import { passkeyScriptPath } from '../html/assets.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession, startSession } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { html } from '../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from './form-problems.ts'
import { showProviderOnly } from './sign-in.ts'
import { isAgain, landingOf, linkQuery, localPath, passkeyForm, refusalOf } from './auth-forms.ts'

const PATH = '/auth/passkey'

export function registerPasskeySignIn(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.omniauthOnly) {
    app.route({
      method: ['GET', 'POST'],
      url: PATH,
      handler: (request, reply) => showProviderOnly({ ctx, request, reply }),
    })
    return
  }
  app.get(PATH, async (request, reply) => {
    const next = localPath(textParam(request.query, 'next'))
    if ((await currentSession(ctx, request)) && !isAgain(request)) return reply.redirect(next ?? '/')
    return show({ ctx, request, reply }, next)
  })
  app.post(PATH, async (request, reply) => handleForm({ ctx, request, reply }))
}

async function handleForm(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  const next = localPath(textParam(request.body, 'next'))
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  const answer = textParam(request.body, 'answer')
  const found = answer === '' ? null : await usePasskey(ctx, answer, null)
  const landing = found && landingOf(found.state, next)
  if (found && landing) {
    await startSession(ctx, request, reply, { userId: found.userId, method: 'passkey' })
    return reply.redirect(landing, 303)
  }
  const message = (found && refusalOf(t, found.state)) ?? t.passkey.unknown
  return show(visit, next, oneProblem(t, message), found ? 403 : 422)
}

async function show(
  visit: FormVisit,
  next: string | null,
  problems: FormProblems = noProblems,
  status = 200,
): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const options = await signInOptions(visit.ctx, null)
  return sendFormPage(visit, {
    title: t.sign_in.passkey,
    status,
    script: passkeyScriptPath,
    ...(next?.startsWith('/oauth/') ? { formAction: null } : {}),
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.sign_in.passkey}</h1>
<p class="lead">${t.passkey.explanation}</p>
${passkeyForm(t, { kind: 'get', options, action: PATH, hidden: html`${csrf}${next !== null && html`<input type="hidden" name="next" value="${next}">`}`, button: t.passkey.use })}
<p class="links"><a href="/auth/sign_in${linkQuery(visit.request, next)}">${t.passkey.with_password}</a></p>
</section>`,
  })
}
