// The settings pages: this list makes their menu, their index and their routes.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sendFormPage } from '../../html/form-page.ts'
import { onGet, type SignedInVisit } from '../../html/signed-in-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { accountPage } from './account.ts'
import { aliasesPage } from './aliases.ts'
import { applicationsPage } from './applications.ts'
import { deletePage } from './delete.ts'
import { exportPage } from './export.ts'
import { settingsRouter, type SettingsMenu } from './frame.ts'
import { importPage } from './import.ts'
import { invitesPage } from './invites.ts'
import { migrationPage } from './migration.ts'
import { ownApplicationsPage } from './own-applications.ts'
import { preferencesPage } from './preferences.ts'
import { profileSettingsPage } from './profile.ts'
import { relationshipsPage } from './relationships.ts'
import { severedPage } from './severed.ts'
import { sessionsPage } from './sessions.ts'
import { statusesCleanupPage } from './statuses-cleanup.ts'
import { strikesPage } from '../strikes.ts'
import { twoFactorPage } from './two-factor.ts'

const MENU: SettingsMenu = [
  { group: 'you', pages: [profileSettingsPage, preferencesPage, invitesPage] },
  {
    group: 'security',
    pages: [accountPage, twoFactorPage, sessionsPage, applicationsPage, ownApplicationsPage, strikesPage],
  },
  { group: 'data', pages: [relationshipsPage, exportPage, importPage, statusesCleanupPage, severedPage] },
  { group: 'moving', pages: [aliasesPage, migrationPage, deletePage] },
]

export function registerSettings(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, '/settings', showIndex)
  for (const page of MENU.flatMap(({ pages }) => pages)) page.routes(settingsRouter(app, ctx, MENU, page))
}

function showIndex(visit: SignedInVisit): Promise<FastifyReply> {
  const { menu } = textsFor(visit.request).settings
  const groups = MENU.map(({ group, pages }) => {
    const items = pages.map(
      ({ key, path }) =>
        html`<li><a href="${path}"><strong>${menu.pages[key].label}</strong><span class="muted">${menu.pages[key].about}</span></a></li>`,
    )
    return html`<h2>${menu.groups[group]}</h2><ul>${items}</ul>`
  })
  return sendFormPage(visit, {
    title: menu.title,
    kind: 'reading',
    body: () => html`<h1>${menu.title}</h1>
<nav class="card settings-index" aria-label="${menu.title}">${groups}</nav>`,
  })
}
