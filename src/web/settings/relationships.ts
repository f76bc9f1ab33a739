// /relationships: the accounts that the user follows and the followers, to end many of these follows at once.
import type { FastifyReply } from 'fastify'
import { rejectFollow, unfollow } from '../../actions/accounts/follow.ts'
import type { Context } from '../../context.ts'
import { OWN_LISTS, listOwn, type OwnList } from '../../domain/relationships/lists.ts'
import { readAccountEntities } from '../../entities/account-presenter.ts'
import type { Account } from '../../entities/account.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { html, safeUrl, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { pageBefore, pagingLinks } from '../feed.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { handleOf, nameHtml } from '../names.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/relationships'
const PAGE_SIZE = 40

const pathOf = (list: OwnList): string => (list === 'following' ? PATH : `${PATH}/${list}`)

export const relationshipsPage: SettingsPage = {
  key: 'relationships',
  path: PATH,
  routes(router) {
    for (const list of OWN_LISTS) {
      router.get(pathOf(list), (visit) => show(visit, list))
      router.post(pathOf(list), (visit) => end(visit, list))
    }
  },
}

async function end(visit: SettingsVisit, list: OwnList): Promise<FastifyReply> {
  const { ctx, t, session, request, reply } = visit
  const ids = chosenIds(request.body)
  if (ids.length === 0) return show(visit, list, oneProblem(t, t.settings.relationships.nothing_selected))
  const { accountId } = session
  for (const id of ids)
    if (list === 'followers') await rejectFollow(ctx, { accountId, followerId: id })
    else await unfollow(ctx, { accountId, targetAccountId: id })
  return reply.redirect(`${pathOf(list)}?notice=${list === 'followers' ? 'removed' : 'unfollowed'}`, 303)
}

function chosenIds(body: unknown): string[] {
  const { ids } = (body ?? {}) as { ids?: unknown }
  const texts = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && isId(id)) : []
  return [...new Set(texts)].slice(0, PAGE_SIZE)
}

async function show(visit: SettingsVisit, list: OwnList, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, session, request } = visit
  const texts = t.settings.relationships
  const { max_id: cursor } = request.query as { max_id?: unknown }
  const page = { ...pageBefore(cursor), limit: PAGE_SIZE }
  const entries = await listOwn(ctx, session.accountId, list, page)
  const accounts = await readAccountEntities(
    ctx,
    entries.map(({ account_id: id }) => id),
  )
  const links = { label: t.posts.pages, first: t.profile.first, next: t.profile.more }
  const paging = pagingLinks(
    links,
    pathOf(list),
    entries.map(({ id }) => id),
    page,
  )
  return sendSettingsPage(visit, {
    problems,
    notices: texts.notices,
    body: (
      csrf,
    ) => html`<nav class="tabs" aria-label="${texts.lists_label}">${OWN_LISTS.map((each) => tab(t, each, list))}</nav>
${accounts.length === 0 ? html`<p class="card muted">${t.posts.none}</p>` : form(visit, list, accounts, csrf)}
${paging}`,
  })
}

const tab = (t: Texts, list: OwnList, current: OwnList): Html =>
  html`<a href="${pathOf(list)}"${list === current && html` aria-current="page"`}>${t.settings.relationships.lists[list]}</a>\n`

function form({ ctx, t }: SettingsVisit, list: OwnList, accounts: readonly Account[], csrf: Html): Html {
  const texts = t.settings.relationships
  return html`<form method="post" action="${pathOf(list)}" class="card">${csrf}
<ul class="rows">${accounts.map((account) => row(ctx, t, account))}</ul>
<div class="actions"><button class="danger">${list === 'followers' ? texts.remove : texts.unfollow}</button></div>
</form>`
}

function row(ctx: Context, t: Texts, account: Account): Html {
  const texts = t.settings.relationships
  const { id, last_status_at: day } = account
  const last = day === null ? texts.no_posts : fillText(texts.last_post, { date: dayOf(t, new Date(day)) })
  return html`<li><div class="choice"><input type="checkbox" id="account-${id}" name="ids[]" value="${id}">
<label for="account-${id}">${nameHtml(account)} <bdi class="muted">${handleOf(ctx, account)}</bdi></label>
<p class="hint">${last}</p></div>
<a class="button secondary" href="${safeUrl(account.url ?? account.uri)}">${texts.view}<span class="visually-hidden"> <bdi>${handleOf(ctx, account)}</bdi></span></a></li>`
}
