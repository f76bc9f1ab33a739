import type { FastifyReply } from 'fastify'
import { createInvite, endOwnInvite } from '../../actions/auth/invites.ts'
import { newestPage } from '../../db/page.ts'
import { findStaffMember, staffMay } from '../../domain/auth/staff.ts'
import { type Invite, listInvites, MAX_INVITE_COMMENT } from '../../domain/registration/invites.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field, select } from '../../html/forms.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { Forbidden } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/invites'
const SHOWN = 100
const USES = [1, 5, 10, 25, 50, 100]
const HOUR = 3600
/** Seconds. */
const LIFETIMES = [HOUR, 12 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR]

export const invitesPage: SettingsPage = {
  key: 'invites',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit, EMPTY))
    router.post(PATH, create)
    router.post(`${PATH}/:id/end`, end)
  },
}

type Filled = { maxUses: string; expiresIn: string; autofollow: boolean; comment: string }
const EMPTY: Filled = { maxUses: '1', expiresIn: String(7 * 24 * HOUR), autofollow: true, comment: '' }

const mayInvite = async ({ ctx, session }: SettingsVisit): Promise<boolean> =>
  staffMay(await findStaffMember(ctx, session.userId), 'invite_users')

async function create(visit: SettingsVisit): Promise<FastifyReply> {
  const { t, ctx, request, reply, session } = visit
  if (!(await mayInvite(visit))) throw new Forbidden(t.settings.invites.not_allowed)
  const filled = {
    maxUses: textParam(request.body, 'max_uses'),
    expiresIn: textParam(request.body, 'expires_in'),
    autofollow: textParam(request.body, 'autofollow') === '1',
    comment: textParam(request.body, 'comment'),
  }
  const chosen = (text: string, choices: readonly number[]): number | null =>
    choices.find((choice) => String(choice) === text) ?? null
  try {
    const { autofollow, comment } = filled
    const limits = { maxUses: chosen(filled.maxUses, USES), expiresIn: chosen(filled.expiresIn, LIFETIMES) }
    await createInvite(ctx, session.userId, { ...limits, autofollow, comment })
  } catch (error) {
    return show(visit, filled, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=created`, 303)
}

async function end(visit: SettingsVisit): Promise<FastifyReply> {
  await endOwnInvite(visit.ctx, visit.session.userId, pathId(visit))
  return visit.reply.redirect(`${PATH}?notice=ended`, 303)
}

async function show(visit: SettingsVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, request, session } = visit
  const { invites: texts } = t.settings
  const allowed = await mayInvite(visit)
  const invites = await listInvites(ctx, newestPage(SHOWN), { userId: session.userId })
  return sendSettingsPage(visit, {
    problems,
    notices: { created: texts.created, ended: texts.ended_notice },
    body(csrf) {
      const top = allowed ? form(t, csrf, filled, problems) : html`<p class="notice info">${texts.not_allowed}</p>`
      const list = html`<h2>${texts.yours}</h2>
${invites.length === 0 ? html`<p>${texts.none}</p>` : invites.map((invite) => card(t, ctx.config.baseUrl, invite, csrf))}`
      // The link of a new one is what its author wants next.
      return textParam(request.query, 'notice') === 'created' ? html`${list}${top}` : html`${top}${list}`
    },
  })
}

function form(t: Texts, csrf: Html, filled: Filled, problems: FormProblems): Html {
  const { invites: texts } = t.settings
  const uses = USES.map((count) => ({ value: String(count), label: texts.times({ count }) }))
  const lifetimes = LIFETIMES.map((seconds) => ({ value: String(seconds), label: lifetimeText(t, seconds) }))
  return html`<p class="lead">${texts.lead}</p>
<form method="post" action="${PATH}" class="card"><h2>${texts.new}</h2>${csrf}
${select({ label: texts.max_uses, name: 'max_uses', value: filled.maxUses, options: [...uses, { value: '', label: texts.unlimited }], error: problems.of('max_uses') })}
${select({ label: texts.expires, name: 'expires_in', value: filled.expiresIn, options: [...lifetimes, { value: '', label: texts.never }] })}
${field(t, { label: texts.comment, name: 'comment', value: filled.comment, hint: texts.comment_hint, maxLength: MAX_INVITE_COMMENT, error: problems.of('comment') })}
${checkbox({ label: texts.autofollow, name: 'autofollow', checked: filled.autofollow })}
<div class="actions"><button>${texts.create}</button></div>
</form>`
}

function lifetimeText({ settings: { invites } }: Texts, seconds: number): string {
  const hours = seconds / HOUR
  return hours % 24 === 0 ? invites.days({ count: hours / 24 }) : invites.hours({ count: hours })
}

function card(t: Texts, baseUrl: string, invite: Invite, csrf: Html): Html {
  const { invites: texts } = t.settings
  const { id, code, uses, max_uses: max, expires_at: until, usable, comment } = invite
  const link = `${baseUrl}/invite/${code}`
  const state = !usable ? texts.ended : until && fillText(texts.until, { date: dayOf(t, until) })
  return html`<section class="card">
<code class="code-display">${link}</code>
${comment !== '' && html`<p>${comment}</p>`}
<p class="muted">${texts.uses({ uses, max })}${state && html` · ${state}`}</p>
${usable && html`<form method="post" action="${PATH}/${id}/end">${csrf}<div class="actions"><button class="secondary">${texts.end}<span class="visually-hidden"> ${code}</span></button></div></form>`}
</section>`
}
