import type { AdminTexts } from '../en/admin.ts'
import { deAdminAccounts } from './admin/accounts.ts'
import { deAdminContent } from './admin/content.ts'
import { deAdminDashboard } from './admin/dashboard.ts'
import { deAdminFederation } from './admin/federation.ts'
import { deAdminFrame } from './admin/frame.ts'
import { deAdminOperations } from './admin/operations.ts'
import { deAdminRegistration } from './admin/registration.ts'
import { deAdminReports } from './admin/reports.ts'
import { deAdminSettings } from './admin/settings.ts'
import { deAdminTrends } from './admin/trends.ts'

export const deAdmin: AdminTexts = {
  frame: deAdminFrame,
  dashboard: deAdminDashboard,
  reports: deAdminReports,
  accounts: deAdminAccounts,
  federation: deAdminFederation,
  registration: deAdminRegistration,
  trends: deAdminTrends,
  content: deAdminContent,
  settings: deAdminSettings,
  operations: deAdminOperations,
}
