import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { findLocal } from '../domain/accounts/find.ts'
import { assetUrl, tagUrl } from '../domain/server/addresses.ts'
import { listShownDomainBlocks } from '../domain/peers/domain-policy.ts'
import { privacyPolicyOf } from '../domain/server/privacy-policy.ts'
import { listRules, ruleIn, type ServerRule } from '../domain/server/rules.ts'
import type { Settings } from '../domain/server/settings.ts'
import { readStats } from '../domain/server/stats.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { fillText, numberText } from '../html/texts.ts'
import { type Html, html, raw } from '../lib/html.ts'
import { formatText } from '../lib/text/format.ts'
import { VERSION } from '../lib/version.ts'
import type { Texts } from '../messages/pages.ts'
import { siteHead } from './open-graph.ts'
import { personLine } from './names.ts'
import { type PublicVisit, beginVisit, sendPage } from './public-page.ts'

/** `GET /about` and `/privacy-policy`: public even with limited federation. */
export function registerAbout(app: FastifyInstance, ctx: Context): void {
  app.get('/about', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    return sendPage(visit, {
      title: visit.texts.about.title,
      head: headOf(visit, '/about', visit.texts.about.title),
      body: await about(visit),
    })
  })
  app.get('/privacy-policy', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    const policy = privacyPolicyOf(ctx, visit.texts, visit.settings)
    const title = visit.texts.about.privacy_policy
    const body = html`<section class="card"><h1>${title}</h1>${prose(ctx, policy)}</section>`
    return sendPage(visit, { title, head: headOf(visit, '/privacy-policy', title), body })
  })
  // The addresses in earlier releases of Mastodon, which its app for iOS opens.
  app.get('/about/more', async (_request, reply) => reply.redirect('/about', 301))
  app.get('/terms', async (_request, reply) => reply.redirect('/privacy-policy', 301))
}

function headOf({ ctx, settings }: PublicVisit, path: string, title: string): Html {
  const { site_title: siteName, site_short_description: description } = settings
  return siteHead({ siteName, title, description, url: ctx.config.baseUrl + path, image: assetUrl(ctx, 'icon.png') })
}

async function about(visit: PublicVisit): Promise<Html> {
  const { ctx, session, settings, texts } = visit
  const t = texts.about
  const { site_extended_description: more } = settings
  return html`<section class="card">
<h1>${settings.site_title}</h1>
<p class="lead">${settings.site_short_description}</p>
${prose(ctx, more)}
${await figures(visit)}
${!session && entrance(texts, settings)}
</section>
${rulesSection(texts, await listRules(ctx))}
${await contact(visit)}
${connecting(texts, ctx)}
${await blockedServers(visit)}
<section class="card" aria-labelledby="software">
<h2 id="software">${t.software}</h2>
<p>${t.licence({ version: VERSION })} ${fillText(t.source, { link: html`<a href="${ctx.config.sourceUrl}" rel="noopener">${t.source_link}</a>` })}</p>
<p><a href="/privacy-policy">${t.policy_link}</a></p>
</section>`
}

async function contact({ ctx, settings, texts }: PublicVisit): Promise<Html | null> {
  const account = settings.site_contact_username ? await findLocal(ctx, settings.site_contact_username) : null
  const email = settings.site_contact_email
  if (!account && !email) return null
  return html`<section class="card" aria-labelledby="contact">
<h2 id="contact">${texts.about.contact}</h2>
${account && personLine(ctx, await readAccountEntity(ctx, account.id))}
${email && html`<p><a href="mailto:${email}">${email}</a></p>`}
</section>`
}

async function figures({ ctx, texts: t }: PublicVisit): Promise<Html> {
  const { people, posts, servers } = t.about
  const { users, statuses, domains } = await readStats(ctx)
  const fact = (name: string, number: number): Html =>
    html`<div><dt>${name}</dt><dd>${numberText(t, number)}</dd></div>`
  return html`<dl class="facts">${fact(people, users)}${fact(posts, statuses)}${fact(servers, domains)}</dl>`
}

/** Null unless administrators show the moderated servers to this viewer. */
async function blockedServers({ ctx, session, settings, texts }: PublicVisit): Promise<Html | null> {
  const t = texts.about
  const isShown = settings.show_domain_blocks === 'all' || (settings.show_domain_blocks === 'users' && session !== null)
  const blocks = isShown ? await listShownDomainBlocks(ctx, session !== null) : []
  if (blocks.length === 0) return null
  const rows = blocks.map(
    ({ domain, severity, comment }) =>
      html`<tr><td>${domain}</td><td>${severity === 'suspend' ? t.blocked : t.limited}</td><td>${comment ?? ''}</td></tr>`,
  )
  return html`<section class="card" aria-labelledby="blocks">
<h2 id="blocks">${t.moderated}</h2>
<p class="muted">${t.moderated_hint}</p>
<div class="table-scroll" tabindex="0" role="region" aria-labelledby="blocks"><table>
<thead><tr><th scope="col">${t.server}</th><th scope="col">${t.state}</th><th scope="col">${t.reason}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
</section>`
}

function prose(ctx: Context, text: string): Html {
  return raw(formatText(text, { mentions: new Map(), tagUrl: (name) => tagUrl(ctx, name) }))
}

export function entrance(t: Texts, settings: Settings): Html {
  const { registrations_mode: mode, closed_registrations_message: message } = settings
  const signIn = html`<a class="button secondary" href="/auth/sign_in">${t.layout.sign_in}</a>`
  if (mode === 'none')
    return html`<p class="notice info">${message || t.about.closed}</p><p class="actions">${signIn}</p>`
  const hint = mode === 'approved' && html`<p class="hint">${t.about.approval}</p>`
  return html`<p class="actions"><a class="button" href="/auth/sign_up">${t.about.create_account}</a> ${signIn}</p>${hint}`
}

export function connecting({ about: t }: Texts, ctx: Context): Html {
  return html`<section class="card" aria-labelledby="apps">
<h2 id="apps">${t.apps}</h2>
<p>${fillText(t.apps_choice, { link: html`<a href="https://joinmastodon.org/apps" rel="noopener">joinmastodon.org/apps</a>` })}</p>
<p><code class="code-display">${ctx.config.webDomain}</code></p>
<p class="muted">${t.apps_sign_in}</p>
</section>`
}

/** In the language of the page, where a rule has it. */
export function rulesSection({ about: t, language }: Texts, rules: readonly ServerRule[]): Html | null {
  if (rules.length === 0) return null
  const items = rules.map((rule) => {
    const { text, hint } = ruleIn(rule, language)
    return html`<li><bdi>${text}</bdi>${hint && html`<p class="hint"><bdi>${hint}</bdi></p>`}</li>`
  })
  return html`<section class="card" aria-labelledby="rules"><h2 id="rules">${t.rules}</h2><ol>${items}</ol></section>`
}
