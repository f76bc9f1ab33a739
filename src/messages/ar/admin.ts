import type { AdminTexts } from '../en/admin.ts'
import { arAdminAccounts } from './admin/accounts.ts'
import { arAdminContent } from './admin/content.ts'
import { arAdminDashboard } from './admin/dashboard.ts'
import { arAdminFederation } from './admin/federation.ts'
import { arAdminFrame } from './admin/frame.ts'
import { arAdminOperations } from './admin/operations.ts'
import { arAdminRegistration } from './admin/registration.ts'
import { arAdminReports } from './admin/reports.ts'
import { arAdminSettings } from './admin/settings.ts'
import { arAdminTrends } from './admin/trends.ts'

export const arAdmin: AdminTexts = {
  frame: arAdminFrame,
  dashboard: arAdminDashboard,
  reports: arAdminReports,
  accounts: arAdminAccounts,
  federation: arAdminFederation,
  registration: arAdminRegistration,
  trends: arAdminTrends,
  content: arAdminContent,
  settings: arAdminSettings,
  operations: arAdminOperations,
}
