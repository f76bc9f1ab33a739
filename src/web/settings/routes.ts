import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { registerAccount } from './account.ts'
import { registerAliases } from './aliases.ts'
import { registerDelete } from './delete.ts'
import { registerExport } from './export.ts'
import { registerImportProgress } from './import-progress.ts'
import { registerImport } from './import.ts'
import { registerMigration } from './migration.ts'
import { registerOverview } from './overview.ts'
import { registerPasskeys } from './passkey.ts'
import { registerPreferences } from './preferences.ts'
import { registerProfileSettings } from './profile.ts'
import { registerSessions } from './sessions.ts'
import { registerTwoFactorApp } from './two-factor-app.ts'
import { registerTwoFactor } from './two-factor.ts'

/** The pages on which people look after their own account. */
export function registerSettings(app: FastifyInstance, ctx: Context): void {
  registerAccount(app, ctx)
  registerAliases(app, ctx)
  registerDelete(app, ctx)
  registerExport(app, ctx)
  registerImport(app, ctx)
  registerImportProgress(app, ctx)
  registerMigration(app, ctx)
  registerOverview(app, ctx)
  registerPasskeys(app, ctx)
  registerPreferences(app, ctx)
  registerProfileSettings(app, ctx)
  registerSessions(app, ctx)
  registerTwoFactor(app, ctx)
  registerTwoFactorApp(app, ctx)
}
