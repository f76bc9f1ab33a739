import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { findCurrentTerms, findTermsOf, listTerms, type Terms } from '../domain/terms/terms.ts'
import { termsHtml } from '../entities/terms-of-service.ts'
import { dayOf, fillText } from '../html/texts.ts'
import { NotFound } from '../lib/errors.ts'
import { type Html, html, raw } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { type PublicVisit, beginVisit, sendPage } from './public-page.ts'

const PATH = '/terms-of-service'

/** `GET /terms-of-service` and `/terms-of-service/:date`: public even with limited federation. */
export function registerTerms(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    const terms = await findCurrentTerms(ctx)
    if (!terms) throw new NotFound(visit.texts.terms.none)
    return show(visit, terms)
  })
  app.get<{ Params: { date: string } }>(`${PATH}/:date`, async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply, { open: true })
    const terms = await findTermsOf(ctx, request.params.date)
    if (!terms) throw new NotFound()
    return show(visit, terms)
  })
}

async function show(visit: PublicVisit, terms: Terms): Promise<FastifyReply> {
  const { ctx, texts } = visit
  const others = (await listTerms(ctx)).filter(({ id }) => id !== terms.id)
  const content = raw(await termsHtml(ctx, terms.text))
  return sendPage(visit, {
    title: texts.terms.title,
    body: html`<section class="card"><h1>${texts.terms.title}</h1>
<p class="muted">${datesOf(texts, terms)}</p>
${content}
</section>
${
  others.length > 0 &&
  html`<section class="card" aria-labelledby="versions"><h2 id="versions">${texts.terms.other_versions}</h2>
<ul>${others.map(({ effective_date: date }) => html`<li><a href="${PATH}/${date}">${day(texts, date)}</a></li>`)}</ul></section>`
}`,
  })
}

const day = (t: Texts, date: string): Html => dayOf(t, new Date(`${date}T00:00:00Z`))

function datesOf(t: Texts, { effective, effective_date: date, succeeded_by: next }: Terms): Html {
  const begin = fillText(effective ? t.terms.since : t.terms.from, { date: day(t, date) })
  if (next === null) return begin
  const link = html`<a href="${PATH}/${next}">${t.terms.new_version}</a>`
  return html`${begin} ${fillText(t.terms.until, { date: day(t, next), link })}`
}
