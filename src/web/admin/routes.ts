// The pages of the administration: this list makes their menu, their index and their routes.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { findStaffMember, type StaffMember } from '../../domain/auth/staff.ts'
import { sendFormPage } from '../../html/form-page.ts'
import { onGet, type SignedInVisit } from '../../html/signed-in-page.ts'
import { textsFor } from '../../html/texts.ts'
import { Forbidden } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { announcementsPage } from './announcements.ts'
import { auditLogPage } from './audit-log.ts'
import { customEmojisPage } from './custom-emojis.ts'
import { dashboardPage } from './dashboard.ts'
import { accountsPage } from './accounts.ts'
import { appealsPage } from './appeals.ts'
import { pendingAccountsPage } from './pending-accounts.ts'
import { warningPresetsPage } from './warning-presets.ts'
import { adminRouter, menuFor, readMenu, waitingHtml, type AdminMenu } from './frame.ts'
import { emailDomainBlocksPage } from './email-domain-blocks.ts'
import { adminInvitesPage } from './invites.ts'
import { ipBlocksPage } from './ip-blocks.ts'
import { rolesPage } from './roles.ts'
import { termsOfServicePage } from './terms-of-service.ts'
import { usernameBlocksPage } from './username-blocks.ts'
import { blockListsPage } from './block-lists.ts'
import { domainAllowsPage } from './domain-allows.ts'
import { domainBlocksPage } from './domain-blocks.ts'
import { faspPage } from './fasp.ts'
import { instancesPage } from './instances.ts'
import { relaysPage } from './relays.ts'
import { followRecommendationsPage } from './follow-recommendations.ts'
import { jobsPage } from './jobs.ts'
import { reportsPage } from './reports.ts'
import { rulesPage } from './rules.ts'
import { settingsPage } from './settings.ts'
import { tagsPage } from './tags.ts'
import { trendsPage } from './trends.ts'
import { webhooksPage } from './webhooks.ts'

export const ADMIN_MENU: AdminMenu = [
  { group: 'overview', pages: [dashboardPage] },
  { group: 'moderation', pages: [reportsPage, accountsPage, appealsPage, warningPresetsPage] },
  {
    group: 'registration',
    pages: [
      pendingAccountsPage,
      adminInvitesPage,
      emailDomainBlocksPage,
      ipBlocksPage,
      usernameBlocksPage,
      rolesPage,
      termsOfServicePage,
    ],
  },
  {
    group: 'federation',
    pages: [instancesPage, domainBlocksPage, domainAllowsPage, blockListsPage, relaysPage, faspPage],
  },
  { group: 'discovery', pages: [trendsPage, tagsPage, followRecommendationsPage] },
  { group: 'content', pages: [announcementsPage, customEmojisPage, rulesPage] },
  { group: 'server', pages: [settingsPage, webhooksPage, auditLogPage, jobsPage] },
]

export function registerAdmin(app: FastifyInstance, ctx: Context): void {
  const whole = ADMIN_MENU.map(({ group, pages }) => ({
    group,
    pages: pages.filter(({ isOn }) => isOn?.(ctx) ?? true),
  }))
  onGet(app, ctx, '/admin', async (visit) => {
    const [first] = (await menuOf(visit, whole)).menu
    return visit.reply.redirect(first?.pages[0]?.path ?? '/admin/menu')
  })
  onGet(app, ctx, '/admin/menu', (visit) => showIndex(visit, whole))
  for (const page of whole.flatMap(({ pages }) => pages)) page.routes(adminRouter(app, ctx, whole, page))
}

/** Throws Forbidden for users whose role gives access to no page. */
async function menuOf(visit: SignedInVisit, whole: AdminMenu): Promise<{ staff: StaffMember; menu: AdminMenu }> {
  const staff = await findStaffMember(visit.ctx, visit.session.userId)
  const menu = menuFor(whole, staff)
  if (menu.length === 0) throw new Forbidden(textsFor(visit.request).admin.frame.nothing_allowed)
  return { staff, menu }
}

/** The menu as a page, for phones. */
async function showIndex(visit: SignedInVisit, whole: AdminMenu): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { title, groups, pages } = t.admin.frame
  const { staff, menu } = await menuOf(visit, whole)
  const lists = (await readMenu(visit.ctx, menu, staff)).map(({ group, pages: entries }) => {
    const items = entries.map(
      ({ key, path, waiting }) =>
        html`<li><a href="${path}"><strong>${pages[key].label}${waitingHtml(t, waiting)}</strong><span class="muted">${pages[key].about}</span></a></li>`,
    )
    return html`<h2>${groups[group]}</h2><ul>${items}</ul>`
  })
  return sendFormPage(visit, {
    title,
    kind: 'reading',
    body: () => html`<h1>${title}</h1>
<nav class="card settings-index" aria-label="${title}">${lists}</nav>`,
  })
}
