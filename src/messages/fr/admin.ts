import type { AdminTexts } from '../en/admin.ts'
import { frAdminAccounts } from './admin/accounts.ts'
import { frAdminContent } from './admin/content.ts'
import { frAdminDashboard } from './admin/dashboard.ts'
import { frAdminFederation } from './admin/federation.ts'
import { frAdminFrame } from './admin/frame.ts'
import { frAdminOperations } from './admin/operations.ts'
import { frAdminRegistration } from './admin/registration.ts'
import { frAdminReports } from './admin/reports.ts'
import { frAdminSettings } from './admin/settings.ts'
import { frAdminTrends } from './admin/trends.ts'

export const frAdmin: AdminTexts = {
  frame: frAdminFrame,
  dashboard: frAdminDashboard,
  reports: frAdminReports,
  accounts: frAdminAccounts,
  federation: frAdminFederation,
  registration: frAdminRegistration,
  trends: frAdminTrends,
  content: frAdminContent,
  settings: frAdminSettings,
  operations: frAdminOperations,
}
