// /unsubscribe: ends mails about notifications. Mail programs send a POST here, people get a page with a button.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { saveUserSettings } from '../actions/auth/user-settings.ts'
import type { Context } from '../context.ts'
import { userOfUnsubscribeToken } from '../domain/notifications/mails.ts'
import { textParam } from '../html/form-page.ts'
import { textsFor } from '../html/texts.ts'
import { NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { openVisit } from './auth-forms.ts'
import { mailLinkForm, sendMailLinkPage } from './mail-link.ts'

const PATH = '/unsubscribe'

export function registerUnsubscribe(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const { token } = subscriptionOf(ctx, request)
    return show(ctx, request, reply, ({ question, button }) => [
      html`<p class="lead">${question}</p>`,
      mailLinkForm(PATH, token, button),
    ])
  })
  app.post(PATH, async (request, reply) => {
    await saveUserSettings(ctx, subscriptionOf(ctx, request).userId, { notification_mails: [] })
    return show(ctx, request, reply, ({ done, again, preferences }) => [
      html`<p class="lead">${done}</p>`,
      html`<p>${again}</p>
<div class="actions"><a class="button secondary" href="/settings/preferences">${preferences}</a></div>`,
    ])
  })
}

/** Throws NotFound without a valid token. */
function subscriptionOf(ctx: Context, request: FastifyRequest): { token: string; userId: string } {
  const token = textParam(request.query, 'token')
  const userId = userOfUnsubscribeToken(ctx, token)
  if (userId === null) throw new NotFound()
  return { token, userId }
}

type PageTexts = ReturnType<typeof textsFor>['unsubscribe']

async function show(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: (t: PageTexts) => readonly Html[],
): Promise<FastifyReply> {
  const { unsubscribe } = textsFor(request)
  return sendMailLinkPage(await openVisit(ctx, request, reply), unsubscribe.title, body(unsubscribe))
}
