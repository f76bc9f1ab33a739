import type { FastifyReply } from 'fastify'
import { disconnectIdentity } from '../../actions/auth/identities.ts'
import { connectedSince } from '../../domain/auth/identities.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { Forbidden } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { FormProblems } from '../form-problems.ts'
import { sendToProvider } from '../provider.ts'
import type { SettingsRouter, SettingsVisit } from './frame.ts'
import { currentPassword, findPasswordProblems, usesPassword } from './password-field.ts'

const PATH = '/auth/edit'

type Show = (visit: SettingsVisit, problems: FormProblems) => Promise<FastifyReply>

/** The connection of the account to the OpenID Connect provider. */
export function addConnection(router: SettingsRouter, show: Show): void {
  router.post(`${PATH}/connect`, async (visit) => {
    const refused = await findPasswordProblems(visit, 'connect')
    if (refused) return show(visit, refused)
    return sendToProvider(visit, { next: PATH, inviteCode: '', userId: visit.session.userId })
  })
  router.post(`${PATH}/disconnect`, async (visit) => {
    const refused = await findPasswordProblems(visit, 'disconnect')
    if (refused) return show(visit, refused)
    if (!usesPassword(visit) || !(await disconnectIdentity(visit.ctx, visit.session))) throw new Forbidden()
    return visit.reply.redirect(`${PATH}?notice=disconnected`, 303)
  })
}

/** Nothing on servers without a provider. */
export async function connectionSection(
  visit: SettingsVisit,
  problems: FormProblems,
): Promise<(csrf: Html) => Html | null> {
  const { ctx, t, session } = visit
  const { oidc, omniauthOnly } = ctx.config
  if (!oidc) return () => null
  const texts = t.provider
  const name = oidc.displayName
  const since = await connectedSince(ctx, oidc.issuer, session.userId)
  const link = html`<a href="/auth/password/new">${texts.choose_password_link}</a>`
  const body = (csrf: Html): Html => {
    if (!since)
      return html`<p>${texts.connect_hint({ name })}</p>
<form method="post" action="${PATH}/connect">${csrf}${currentPassword(visit, problems, 'connect')}
<div class="actions"><button>${texts.connect({ name })}</button></div></form>`
    const state = html`<p>${fillText(texts.connected_since({ name }), { day: dayOf(t, since) })}</p>`
    if (omniauthOnly) return state
    if (!usesPassword(visit)) return html`${state}<p>${fillText(texts.disconnect_needs_password, { link })}</p>`
    return html`${state}
<form method="post" action="${PATH}/disconnect">${csrf}${currentPassword(visit, problems, 'disconnect')}
<div class="actions"><button class="danger">${texts.disconnect}</button></div></form>`
  }
  return (csrf) => html`<section class="card"><h2>${name}</h2>
${body(csrf)}
</section>`
}
