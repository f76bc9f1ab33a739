import type { AdminTexts } from '../en/admin.ts'
import { esAdminAccounts } from './admin/accounts.ts'
import { esAdminContent } from './admin/content.ts'
import { esAdminDashboard } from './admin/dashboard.ts'
import { esAdminFederation } from './admin/federation.ts'
import { esAdminFrame } from './admin/frame.ts'
import { esAdminOperations } from './admin/operations.ts'
import { esAdminRegistration } from './admin/registration.ts'
import { esAdminReports } from './admin/reports.ts'
import { esAdminSettings } from './admin/settings.ts'
import { esAdminTrends } from './admin/trends.ts'

export const esAdmin: AdminTexts = {
  frame: esAdminFrame,
  dashboard: esAdminDashboard,
  reports: esAdminReports,
  accounts: esAdminAccounts,
  federation: esAdminFederation,
  registration: esAdminRegistration,
  trends: esAdminTrends,
  content: esAdminContent,
  settings: esAdminSettings,
  operations: esAdminOperations,
}
