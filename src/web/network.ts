// The followers of a local account, and the accounts that it follows.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { listFollowers, listFollowing, showsNetwork } from '../domain/relationships/lists.ts'
import { accountUrl } from '../domain/server/addresses.ts'
import { readAccountEntities, readAccountEntity } from '../entities/account-presenter.ts'
import type { Account } from '../entities/account.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { pageBefore, pagingLinks } from './feed.ts'
import { handleOf, nameHtml, nameOf, personLine } from './names.ts'
import { getPublicAccount } from './profile-views.ts'
import { beginVisit, sendPage, type PublicVisit } from './public-page.ts'

const LISTS = { followers: listFollowers, following: listFollowing } as const
type List = keyof typeof LISTS

const PAGE_SIZE = 40

type Request = { Params: { username: string }; Querystring: { max_id?: unknown } }

export function registerNetwork(app: FastifyInstance, ctx: Context): void {
  for (const list of Object.keys(LISTS) as List[])
    app.get<Request>(`/@:username/${list}`, async (request, reply) => {
      const visit = await beginVisit(ctx, request, reply)
      const row = await getPublicAccount(ctx, request.params.username)
      const page = { ...pageBefore(request.query.max_id), limit: PAGE_SIZE }
      const isShown = await showsNetwork(ctx, visit.session, row)
      const entries = isShown ? await LISTS[list](ctx, visit.session, row.id, page) : []
      const people = await readAccountEntities(
        ctx,
        entries.map(({ account_id: id }) => id),
      )
      const account = await readAccountEntity(ctx, row.id)
      const address = `${accountUrl(ctx, account.username)}/${list}`
      const ids = entries.map(({ id }) => id)
      const { posts, profile } = visit.texts
      const links = { label: posts.pages, first: profile.first, next: profile.more }
      const body = isShown
        ? html`${peopleList(ctx, visit.texts, people)}${pagingLinks(links, address, ids, page)}`
        : html`<p class="card muted">${visit.texts.profile.hidden_network}</p>`
      return show(visit, account, list, body)
    })
}

function show(visit: PublicVisit, account: Account, list: List, body: Html): Promise<FastifyReply> {
  const { ctx, texts } = visit
  const label = texts.profile[list]
  return sendPage(visit, {
    title: texts.profile.list_of({ list: label, name: `${nameOf(account)} (${handleOf(ctx, account)})` }),
    noindex: true,
    body: html`<h1>${label}</h1>
<p class="muted"><a href="${accountUrl(ctx, account.username)}">${nameHtml(account)}</a></p>
${body}`,
  })
}

const peopleList = (ctx: Context, { posts: t }: Texts, people: readonly Account[]): Html =>
  people.length === 0
    ? html`<p class="card muted">${t.none}</p>`
    : html`<ul class="feed">${people.map((account) => html`<li>${personLine(ctx, account)}</li>`)}</ul>`
