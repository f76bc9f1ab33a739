import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sendFormPage } from '../../html/form-page.ts'
import { onGet, SETTINGS_MENU, type SettingsVisit, type SettingsPageKey } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { registerAuthorizedApplications } from '../authorized-applications.ts'
import { registerAccount } from './account.ts'
import { registerAliases } from './aliases.ts'
import { registerDelete } from './delete.ts'
import { registerExport } from './export.ts'
import { registerImportProgress } from './import-progress.ts'
import { registerImport } from './import.ts'
import { registerMigration } from './migration.ts'
import { registerPasskeys } from './passkey.ts'
import { registerPreferences } from './preferences.ts'
import { registerProfileSettings } from './profile.ts'
import { registerSessions } from './sessions.ts'
import { registerTwoFactorApp } from './two-factor-app.ts'
import { registerTwoFactor } from './two-factor.ts'

type Register = (app: FastifyInstance, ctx: Context) => void

/** The routes of each page of the menu. A page that is missing here does not compile. */
const ROUTES: Record<SettingsPageKey, readonly Register[]> = {
  profile: [registerProfileSettings],
  preferences: [registerPreferences],
  account: [registerAccount],
  two_factor: [registerTwoFactor, registerTwoFactorApp, registerPasskeys],
  sessions: [registerSessions],
  applications: [registerAuthorizedApplications],
  export: [registerExport],
  import: [registerImport, registerImportProgress],
  aliases: [registerAliases],
  migration: [registerMigration],
  delete: [registerDelete],
}

/** Registers the settings pages and their index. */
export function registerSettings(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, '/settings', showIndex)
  for (const register of Object.values(ROUTES).flat()) register(app, ctx)
}

function showIndex(visit: SettingsVisit): Promise<FastifyReply> {
  const { menu } = textsFor(visit.request).settings
  const groups = SETTINGS_MENU.map(({ group, pages }) => {
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
