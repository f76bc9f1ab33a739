// /severed_relationships: the follows that the user lost to blocked servers and suspended accounts.
import type { FastifyReply } from 'fastify'
import { listSeveranceEvents, severedCsv, type SeveranceEvent } from '../../domain/moderation/severance-events.ts'
import { pathId } from '../../html/form-page.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { sendCsv } from '../downloads.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/severed_relationships'

export const severedPage: SettingsPage = {
  key: 'severed',
  path: PATH,
  routes(router) {
    router.get(PATH, show)
    router.get(`${PATH}/:id/followers.csv`, (visit) => download(visit, 'follower'))
    router.get(`${PATH}/:id/following.csv`, (visit) => download(visit, 'following'))
  },
}

async function download(visit: SettingsVisit, direction: 'follower' | 'following'): Promise<FastifyReply> {
  const { ctx, session, reply } = visit
  const id = pathId(visit)
  const csv = await severedCsv(ctx, session.accountId, id, direction)
  if (csv === null) throw new NotFound()
  return sendCsv(reply, `severed-${direction === 'follower' ? 'followers' : 'following'}-${id}`, csv)
}

async function show(visit: SettingsVisit): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const texts = t.disputes.severed
  const events = await listSeveranceEvents(ctx, session.accountId)
  return sendSettingsPage(visit, {
    body: () => html`<section class="card"><p class="lead">${texts.lead}</p>
${events.length === 0 ? html`<p>${texts.empty}</p>` : html`<ul class="rows">${events.map((event) => row(t, event))}</ul>`}
</section>`,
  })
}

function row(t: Texts, event: SeveranceEvent): Html {
  const texts = t.disputes.severed
  const link = (name: 'followers' | 'following', label: string): Html =>
    html`<a class="button secondary" href="${PATH}/${event.id}/${name}.csv" download>${label}<span class="visually-hidden"> <bdi>${event.target_name}</bdi></span></a>`
  return html`<li><div><p><strong>${fillText(texts[event.type], { name: html`<bdi>${event.target_name}</bdi>` })}</strong></p>
<p class="muted">${dayOf(t, event.created_at)} · ${texts.followers({ count: event.followers_count })} · ${texts.following({ count: event.following_count })}</p>
${event.purged && html`<p class="muted">${texts.purged}</p>`}</div>
${!event.purged && event.has_list && html`<div class="actions">${event.followers_count > 0 && link('followers', texts.download_followers)}${event.following_count > 0 && link('following', texts.download_following)}</div>`}</li>`
}
