// What this server is, who looks after it, what holds here, and where its software comes from.

import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { findLocal } from '../domain/accounts/find.ts'
import { assetUrl, tagUrl } from '../domain/server/addresses.ts'
import { listShownDomainBlocks } from '../domain/peers/blocked-domains.ts'
import { privacyPolicyOf } from '../domain/server/privacy-policy.ts'
import { listRules } from '../domain/server/rules.ts'
import type { Settings } from '../domain/server/settings.ts'
import { readStats } from '../domain/server/stats.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { html, raw, type Html } from '../lib/html.ts'
import { formatText } from '../lib/text/format.ts'
import { VERSION } from '../lib/version.ts'
import { connecting, entrance, rulesSection } from './about-parts.ts'
import { siteHead } from './open-graph.ts'
import { personLine } from './person.ts'
import { beginVisit, sendPage, type Visit } from './public-page.ts'
import { formatNumber } from './status-article.ts'

/** `GET /about` and `/privacy-policy`: open to everybody, always. */
export function registerAbout(app: FastifyInstance, ctx: Context): void {
  app.get('/about', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    return sendPage(visit, {
      title: 'About this server',
      head: headOf(visit, '/about', 'About this server'),
      body: await about(visit),
    })
  })
  app.get('/privacy-policy', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    const policy = privacyPolicyOf(ctx, visit.settings)
    const body = html`<section class="card"><h1>Privacy policy</h1>${prose(ctx, policy)}</section>`
    return sendPage(visit, { title: 'Privacy policy', head: headOf(visit, '/privacy-policy', 'Privacy policy'), body })
  })
}

function headOf({ ctx, settings }: Visit, path: string, title: string): Html {
  const { site_title: siteName, site_short_description: description } = settings
  return siteHead({ siteName, title, description, url: ctx.config.baseUrl + path, image: assetUrl(ctx, 'icon.png') })
}

async function about(visit: Visit): Promise<Html> {
  const { ctx, session, settings } = visit
  const { site_extended_description: more } = settings
  return html`<section class="card">
<h1>${settings.site_title}</h1>
<p class="lead">${settings.site_short_description}</p>
${prose(ctx, more)}
${await figures(ctx)}
${!session && entrance(settings)}
</section>
${rulesSection(await listRules(ctx))}
${await contact(ctx, settings)}
${connecting(ctx)}
${await blockedServers(visit)}
<section class="card" aria-labelledby="software">
<h2 id="software">The software</h2>
<p>This server runs Rookery ${VERSION}, free software under the GNU Affero General Public License. ${source(ctx)}</p>
<p><a href="/privacy-policy">Privacy policy of this server</a></p>
</section>`
}

/** Whom to turn to; null where nobody is named. */
async function contact(ctx: Context, settings: Settings): Promise<Html | null> {
  const account = settings.site_contact_username ? await findLocal(ctx, settings.site_contact_username) : null
  const email = settings.site_contact_email
  if (!account && !email) return null
  return html`<section class="card" aria-labelledby="contact">
<h2 id="contact">Who looks after this server</h2>
${account && personLine(ctx, await readAccountEntity(ctx, account.id))}
${email && html`<p><a href="mailto:${email}">${email}</a></p>`}
</section>`
}

async function figures(ctx: Context): Promise<Html> {
  const { users, statuses, domains } = await readStats(ctx)
  const fact = (name: string, number: number): Html => html`<div><dt>${name}</dt><dd>${formatNumber(number)}</dd></div>`
  return html`<dl class="facts">${fact('People', users)}${fact('Posts', statuses)}${fact('Servers known', domains)}</dl>`
}

/** With whom this server does not speak, where administrators make that known to whoever is looking. */
async function blockedServers({ ctx, session, settings }: Visit): Promise<Html | null> {
  const isTold = settings.show_domain_blocks === 'all' || (settings.show_domain_blocks === 'users' && session !== null)
  const blocks = isTold ? await listShownDomainBlocks(ctx, session !== null) : []
  if (blocks.length === 0) return null
  const rows = blocks.map(
    ({ domain, severity, comment }) =>
      html`<tr><td>${domain}</td><td>${severity === 'suspend' ? 'Blocked' : 'Limited'}</td><td>${comment ?? ''}</td></tr>`,
  )
  return html`<section class="card" aria-labelledby="blocks">
<h2 id="blocks">Moderated servers</h2>
<p class="muted">Posts of limited servers are shown to their followers only; with blocked ones nothing is exchanged.</p>
<div class="table-scroll" tabindex="0" role="region" aria-labelledby="blocks"><table>
<thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col">Reason</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
</section>`
}

function source({ config }: Context): Html {
  return html`Its <a href="${config.sourceUrl}" rel="noopener">source</a> is open to everybody who uses it.`
}

function prose(ctx: Context, text: string): Html {
  return raw(formatText(text, { mentions: new Map(), tagUrl: (name) => tagUrl(ctx, name) }))
}
