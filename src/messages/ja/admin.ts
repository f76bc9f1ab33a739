import type { AdminTexts } from '../en/admin.ts'
import { jaAdminAccounts } from './admin/accounts.ts'
import { jaAdminContent } from './admin/content.ts'
import { jaAdminDashboard } from './admin/dashboard.ts'
import { jaAdminFederation } from './admin/federation.ts'
import { jaAdminFrame } from './admin/frame.ts'
import { jaAdminOperations } from './admin/operations.ts'
import { jaAdminRegistration } from './admin/registration.ts'
import { jaAdminReports } from './admin/reports.ts'
import { jaAdminSettings } from './admin/settings.ts'
import { jaAdminTrends } from './admin/trends.ts'

export const jaAdmin: AdminTexts = {
  frame: jaAdminFrame,
  dashboard: jaAdminDashboard,
  reports: jaAdminReports,
  accounts: jaAdminAccounts,
  federation: jaAdminFederation,
  registration: jaAdminRegistration,
  trends: jaAdminTrends,
  content: jaAdminContent,
  settings: jaAdminSettings,
  operations: jaAdminOperations,
}
