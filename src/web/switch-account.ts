// Switching between the accounts that are signed in to in this browser.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { standardImageUrl } from '../domain/server/addresses.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { checkForm } from '../html/csrf.ts'
import { textParam, type FormVisit } from '../html/form-page.ts'
import { currentSession, MAX_ACCOUNTS, otherSessions, switchSession } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { isFromWebClient } from '../http/auth.ts'
import { NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { localPath } from './auth-forms.ts'

const PATH = '/auth/switch'

export function registerSwitchAccount(app: FastifyInstance, ctx: Context): void {
  app.post(PATH, async (request, reply) => {
    // As for signing out: the web client has no form, and other sites cannot send its header.
    const isClient = isFromWebClient(request)
    if (!isClient) await checkForm(ctx, request)
    const next = localPath(textParam(request.body, 'next'))
    if (await switchSession(ctx, request, reply, textParam(request.body, 'account')))
      return reply.redirect(next ?? '/', 303)
    if (isClient) throw new NotFound()
    const query = new URLSearchParams({ again: '1', notice: 'session_ended', ...(next === null ? {} : { next }) })
    return reply.redirect(`/auth/sign_in?${query}`, 303)
  })
}

/** Whether an application requires a new sign-in (`force_login`): another session of this browser is not enough. */
const needsSignIn = (next: string | null): boolean =>
  URL.parse(next ?? '', 'http://x')?.searchParams.has('after_session') === true

/** The accounts to which this browser can switch, for a page whose forms contain `csrf`; none when there are none. */
export async function accountSwitch(
  { ctx, request }: FormVisit,
  next: string | null,
): Promise<(csrf: Html) => Html | null> {
  if (needsSignIn(next)) return () => null
  const [sessions, current] = await Promise.all([otherSessions(ctx, request), currentSession(ctx, request)])
  const t = textsFor(request).sign_in
  const last = sessions.at(MAX_ACCOUNTS - 2)
  const row = (csrf: Html, { accountId, username, avatarKey }: Session): Html => {
    const avatar = avatarKey === null ? standardImageUrl(ctx, 'avatar') : ctx.files.url(avatarKey)
    return html`<li><div><span class="person"><img class="avatar small" src="${avatar}" alt="" width="28" height="28"> <bdi>@${username}</bdi></span></div>
<form method="post" action="${PATH}">${csrf}<input type="hidden" name="account" value="${accountId}">${next !== null && html`<input type="hidden" name="next" value="${next}">`}<button class="secondary" aria-label="${t.continue_as({ username })}">${t.continue}</button></form></li>`
  }
  return (csrf) =>
    sessions.length === 0
      ? null
      : html`<section class="card" aria-labelledby="accounts">
<h2 id="accounts">${t.accounts}</h2>
<ul class="rows account-switch">${sessions.map((session) => row(csrf, session))}</ul>
${current && last && html`<p class="hint">${t.full({ count: MAX_ACCOUNTS, username: last.username })}</p>`}
</section>`
}
