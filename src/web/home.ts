// The start page: what this server is and how to begin; for people who are signed in, where to go.

import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { needsSetUp } from '../domain/auth/set-up.ts'
import { accountUrl, assetUrl } from '../domain/server/addresses.ts'
import { listRules } from '../domain/server/rules.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { html, type Html } from '../lib/html.ts'
import { connecting, entrance, rulesSection } from './about-parts.ts'
import { siteHead } from './open-graph.ts'
import { beginVisit, sendPage, type Visit } from './public-page.ts'

/** `GET /` */
export function registerHome(app: FastifyInstance, ctx: Context): void {
  app.get('/', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
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
      body: visit.session ? welcomeBack(ctx, visit.session) : await welcome(visit),
    })
  })
}

async function welcome({ ctx, settings }: Visit): Promise<Html> {
  const isNew = await needsSetUp(ctx)
  return html`${isNew && html`<p class="notice info">This server is new, and nobody owns it yet. If it is yours, open the set-up link that it printed when it started.</p>`}
<section class="card">
<h1>${settings.site_title}</h1>
<p class="lead">${settings.site_short_description}</p>
<p>People here write short posts and talk about them. This server is one of many that are connected: from here you can follow people on Mastodon and everything else that speaks ActivityPub, and they can follow you.</p>
${entrance(settings)}
</section>
${connecting(ctx)}
${rulesSection(await listRules(ctx))}
<p class="muted"><a href="/about">More about this server</a></p>`
}

function welcomeBack(ctx: Context, { username }: Session): Html {
  return html`<section class="card">
<h1>Hello, ${username}</h1>
<p class="lead">You are signed in. Your address on the network is <strong>@${username}@${ctx.config.localDomain}</strong>: give it to people who want to follow you.</p>
<p class="actions"><a class="button" href="${accountUrl(ctx, username)}">Your profile</a><a class="button secondary" href="/settings">Settings</a></p>
</section>
${connecting(ctx)}`
}
