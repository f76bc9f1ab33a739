// The frame of the administration: who may open a page, the menu, and how a page is sent. `kit.ts`, `forms.ts` and `charts.ts`
// hold what pages are made of; `routes.ts` lists the pages.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Session } from '../../domain/auth/sessions.ts'
import { findStaffMember, staffMay, type StaffMember } from '../../domain/auth/staff.ts'
import type { Permission } from '../../domain/auth/viewer.ts'
import { sendFormPage, textParam, type FormPage } from '../../html/form-page.ts'
import { onGet, onPost, type FormRoute, type SignedInVisit } from '../../html/signed-in-page.ts'
import { numberText, textsFor } from '../../html/texts.ts'
import { Forbidden } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { message } from '../../messages/message.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'

/** An entry of the menu, with the routes below it. */
export type AdminPage = {
  /** The key of its label and description in `messages/<language>/admin/frame.ts`. */
  key: keyof Texts['admin']['frame']['pages']
  path: string
  /** One of them is needed to see the page in the menu and to use its routes. */
  permissions: readonly Permission[]
  /** Whether the server has the page; all have it unless given. */
  isOn?: (ctx: Context) => boolean
  /** How many things wait for the staff; the menu shows it unless it is 0. A cheap statement: each page runs it. */
  badge?: (ctx: Context, staff: StaffMember) => Promise<number>
  routes: (router: AdminRouter) => void
}

export type AdminMenu = readonly {
  group: keyof Texts['admin']['frame']['groups']
  pages: readonly AdminPage[]
}[]

export type AdminVisit = SignedInVisit & { t: Texts; staff: StaffMember; menu: AdminMenu; page: AdminPage }

type Handler = (visit: AdminVisit) => Promise<FastifyReply>

/** `permissions` in place of the page's, such as a narrower one for a form. */
type RouteOptions = { permissions?: readonly Permission[] }

/** Without a session, the routes redirect to the sign-in page, which leads back; without a permission, they answer 403. */
export type AdminRouter = {
  get: (path: string, show: Handler, options?: RouteOptions) => void
  /** The CSRF token was checked when `save` runs. */
  post: (path: string, save: Handler, options?: RouteOptions & Pick<FormRoute, 'files'>) => void
}

export function adminRouter(app: FastifyInstance, ctx: Context, menu: AdminMenu, page: AdminPage): AdminRouter {
  const within =
    (handler: Handler, permissions: readonly Permission[]) =>
    async (visit: SignedInVisit): Promise<FastifyReply> => {
      const staff = await checkStaff(ctx, visit.session, permissions)
      return handler({ ...visit, t: textsFor(visit.request), staff, menu, page })
    }
  return {
    get: (path, show, { permissions = page.permissions } = {}) => onGet(app, ctx, path, within(show, permissions)),
    post: (path, save, { permissions = page.permissions, files = false } = {}) =>
      onPost(
        app,
        ctx,
        path,
        {
          back: page.path,
          files,
          // Before any byte of a file is stored.
          ...(files ? { allow: async (session) => void (await checkStaff(ctx, session, permissions)) } : {}),
        },
        within(save, permissions),
      ),
  }
}

/** Throws Forbidden unless the user has one of the permissions. */
async function checkStaff(ctx: Context, session: Session, permissions: readonly Permission[]): Promise<StaffMember> {
  const staff = await findStaffMember(ctx, session.userId)
  if (!staffMay(staff, ...permissions)) throw new Forbidden(message('forbidden'))
  return staff
}

/** The part of the menu that a staff member may see. */
export function menuFor(menu: AdminMenu, staff: StaffMember): AdminMenu {
  return menu
    .map(({ group, pages }) => ({ group, pages: pages.filter(({ permissions }) => staffMay(staff, ...permissions)) }))
    .filter(({ pages }) => pages.length > 0)
}

/** Whether the staff member may open a page of the menu, by its address. */
export const mayOpen = ({ menu, staff }: AdminVisit, address: string): boolean =>
  menuFor(menu, staff).some(({ pages }) => pages.some(({ path }) => path === address.split('?')[0]))

/** Whether the staff member may open the pages of single accounts: they decide on accounts, reports or appeals. */
export const mayOpenAccounts = (staff: StaffMember): boolean => staffMay(staff, ...ACCOUNT_PERMISSIONS)
export const ACCOUNT_PERMISSIONS: readonly Permission[] = ['manage_users', 'manage_reports', 'manage_appeals']

type Content = Pick<FormPage, 'script' | 'body' | 'policy'> & {
  /** The page's label in the menu unless given. A page without an entry in the menu needs one. */
  title?: string
  /** The way back from a page without an entry in the menu. */
  back?: { href: string; label: string }
  /** Below the title. */
  lead?: string | Html
  /** Links beside the title, such as "Add". */
  actions?: Html
  /** By the query parameter `notice`, which the redirect after a form sets. */
  notices?: Readonly<Record<string, string>>
  /** A form that was refused is sent again with its problems, as 422. */
  problems?: FormProblems
}

export async function sendAdminPage(visit: AdminVisit, content: Content): Promise<FastifyReply> {
  const { ctx, request, t, page, staff } = visit
  const { problems = noProblems, notices = {}, script, policy, back, lead, actions, body } = content
  const { frame } = t.admin
  const title = content.title ?? frame.pages[page.key].label
  const name = textParam(request.query, 'notice')
  const notice = Object.hasOwn(notices, name) ? notices[name] : undefined
  const menu = await readMenu(ctx, menuFor(visit.menu, staff), staff)
  return sendFormPage(visit, {
    title: `${title} · ${frame.title}`,
    kind: 'wide',
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    ...(script ? { script } : {}),
    ...(policy ? { policy } : {}),
    body: (csrf) => html`<div class="admin">
<nav class="admin-menu" aria-label="${frame.title}">${menuHtml(t, menu, page)}</nav>
<div class="admin-page">
<p class="admin-back">${back ? html`<a href="${back.href}">${back.label}</a>` : html`<a class="to-menu" href="/admin/menu">${frame.all}</a>`}</p>
${problems.summary}
<div class="admin-title"><h1>${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${lead && html`<p class="lead">${lead}</p>`}
${body(csrf)}
</div>
</div>`,
  })
}

type CountedPage = AdminPage & { waiting: number }
type CountedMenu = readonly { group: AdminMenu[number]['group']; pages: readonly CountedPage[] }[]

/** With what waits for the staff on each page. One statement after the other, so that a page does not take all connections. */
export async function readMenu(ctx: Context, menu: AdminMenu, staff: StaffMember): Promise<CountedMenu> {
  const counted: { group: CountedMenu[number]['group']; pages: CountedPage[] }[] = []
  for (const { group, pages } of menu) {
    counted.push({ group, pages: [] })
    for (const page of pages) counted.at(-1)?.pages.push({ ...page, waiting: (await page.badge?.(ctx, staff)) ?? 0 })
  }
  return counted
}

function menuHtml(t: Texts, menu: CountedMenu, current: AdminPage): Html[] {
  const { groups, pages: labels } = t.admin.frame
  return menu.map(({ group, pages }) => {
    const items = pages.map((page) => {
      const mark = page.key === current.key ? html` aria-current="page"` : null
      return html`<li><a href="${page.path}"${mark}><span>${labels[page.key].label}</span>${waitingHtml(t, page.waiting)}</a></li>`
    })
    return html`<h2>${groups[group]}</h2><ul>${items}</ul>`
  })
}

/** Null for 0. */
export function waitingHtml(t: Texts, count: number): Html | null {
  if (count === 0) return null
  return html` <span class="count-badge"><span aria-hidden="true">${numberText(t, count)}</span><span class="visually-hidden">${t.admin.frame.waiting({ count })}</span></span>`
}
