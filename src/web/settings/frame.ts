import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sendFormPage, textParam, type FormPage } from '../../html/form-page.ts'
import { onGet, onPost, type FormRoute, type SignedInVisit } from '../../html/signed-in-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'

/** An entry of the menu: the key of its texts in `settings.menu.pages`, and its routes. */
export type SettingsPage = {
  key: keyof Texts['settings']['menu']['pages']
  path: string
  /** Also for users without the second factor that their role requires. */
  evenMissing2fa?: boolean
  routes: (router: SettingsRouter) => void
}

export type SettingsMenu = readonly {
  group: keyof Texts['settings']['menu']['groups']
  pages: readonly SettingsPage[]
}[]

export type SettingsVisit = SignedInVisit & { t: Texts; menu: SettingsMenu; page: SettingsPage }

type Handler = (visit: SettingsVisit) => Promise<FastifyReply>

/** Without a session, the routes redirect to the sign-in page, which leads back. */
export type SettingsRouter = {
  get: (path: string, show: Handler) => void
  post: (path: string, save: Handler, options?: Pick<FormRoute, 'files' | 'methods'>) => void
}

export function settingsRouter(
  app: FastifyInstance,
  ctx: Context,
  menu: SettingsMenu,
  page: SettingsPage,
): SettingsRouter {
  const within =
    (handler: Handler) =>
    (visit: SignedInVisit): Promise<FastifyReply> =>
      handler({ ...visit, t: textsFor(visit.request), menu, page })
  const { path: back, evenMissing2fa = false } = page
  return {
    get: (path, show) => onGet(app, ctx, path, within(show), { evenMissing2fa }),
    post: (path, save, options) => onPost(app, ctx, path, { ...options, back, evenMissing2fa }, within(save)),
  }
}

type Content = Pick<FormPage, 'script' | 'body'> & {
  /** The page's label in the menu unless given. */
  title?: string
  /** By the query parameter `notice`, which the redirect after a form sets. */
  notices?: Readonly<Record<string, string>>
  problems?: FormProblems
}

export function sendSettingsPage(visit: SettingsVisit, content: Content): Promise<FastifyReply> {
  const { request, t, menu, page, session } = visit
  const { problems = noProblems, notices = {}, script, body } = content
  const { menu: texts } = t.settings
  const title = content.title ?? texts.pages[page.key].label
  const name = textParam(request.query, 'notice')
  const notice = Object.hasOwn(notices, name) ? notices[name] : undefined
  return sendFormPage(visit, {
    title,
    kind: 'wide',
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    ...(script ? { script } : {}),
    body: (csrf) =>
      session.state === 'usable'
        ? html`<div class="settings">
<nav class="settings-menu" aria-label="${texts.title}">${menu.map((group) => groupHtml(t, group, page))}</nav>
<div>
<p class="settings-back"><a href="/settings">${texts.all}</a></p>
${problems.summary}
<h1>${title}</h1>
${body(csrf)}
</div>
</div>`
        : html`${problems.summary}
<h1>${title}</h1>
${body(csrf)}
<form method="post" action="/auth/sign_out">${csrf}<div class="actions"><button class="secondary">${t.layout.sign_out}</button></div></form>`,
  })
}

function groupHtml({ settings }: Texts, { group, pages }: SettingsMenu[number], current: SettingsPage): Html {
  const items = pages.map((page) => {
    const mark = page === current ? html` aria-current="page"` : null
    return html`<li><a href="${page.path}"${mark}>${settings.menu.pages[page.key].label}</a></li>`
  })
  return html`<h2>${settings.menu.groups[group]}</h2><ul>${items}</ul>`
}
