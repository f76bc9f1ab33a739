import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { needsSetUp } from '../actions/server/set-up.ts'
import { accountUrl, assetUrl } from '../domain/server/addresses.ts'
import { firstUsername } from '../domain/auth/users.ts'
import { listRules } from '../domain/server/rules.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { fillText } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import { connecting, entrance, rulesSection } from './about.ts'
import { siteHead } from './open-graph.ts'
import { beginVisit, sendPage, type PublicVisit } from './public-page.ts'

export function registerHome(app: FastifyInstance, ctx: Context): void {
  app.get('/', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    const onlyUser = ctx.config.singleUserMode && !visit.session ? await firstUsername(ctx) : null
    if (onlyUser !== null) return reply.redirect(`/@${onlyUser}`)
    const { site_title: title, site_short_description: description } = visit.settings
    const head = siteHead({
      siteName: title,
      title,
      description,
      url: `${ctx.config.baseUrl}/`,
      image: assetUrl(ctx, 'icon.png'),
    })
    return sendPage(visit, {
      title,
      head,
      body: visit.session ? welcomeBack(visit, visit.session) : await welcome(visit),
    })
  })
}

async function welcome({ ctx, settings, texts: t }: PublicVisit): Promise<Html> {
  const isNew = await needsSetUp(ctx)
  return html`${isNew && html`<p class="notice info">${t.home.is_new}</p>`}
<section class="card">
<h1>${settings.site_title}</h1>
<p class="lead">${settings.site_short_description}</p>
<p>${t.home.explanation}</p>
${entrance(t, settings)}
</section>
${connecting(t, ctx)}
${rulesSection(t, await listRules(ctx))}
<p class="muted"><a href="/about">${t.home.more}</a></p>`
}

function welcomeBack({ ctx, texts: t }: PublicVisit, { username }: Session): Html {
  return html`<section class="card">
<h1>${t.home.hello({ username })}</h1>
<p class="lead">${fillText(t.home.signed_in, { handle: html`<strong><bdi>@${username}@${ctx.config.localDomain}</bdi></strong>` })}</p>
<p class="actions"><a class="button" href="${accountUrl(ctx, username)}">${t.home.your_profile}</a><a class="button secondary" href="/settings">${t.home.settings}</a></p>
</section>
${connecting(t, ctx)}`
}
