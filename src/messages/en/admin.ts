// The texts of the administration: a file for each area.
import { enAdminAccounts, type AdminAccountsTexts } from './admin/accounts.ts'
import { enAdminContent, type AdminContentTexts } from './admin/content.ts'
import { enAdminDashboard, type AdminDashboardTexts } from './admin/dashboard.ts'
import { enAdminFederation, type AdminFederationTexts } from './admin/federation.ts'
import { enAdminFrame, type AdminFrameTexts } from './admin/frame.ts'
import { enAdminOperations, type AdminOperationsTexts } from './admin/operations.ts'
import { enAdminRegistration, type AdminRegistrationTexts } from './admin/registration.ts'
import { enAdminReports, type AdminReportsTexts } from './admin/reports.ts'
import { enAdminSettings, type AdminSettingsTexts } from './admin/settings.ts'
import { enAdminTrends, type AdminTrendsTexts } from './admin/trends.ts'

export type AdminTexts = {
  frame: AdminFrameTexts
  dashboard: AdminDashboardTexts
  reports: AdminReportsTexts
  accounts: AdminAccountsTexts
  federation: AdminFederationTexts
  registration: AdminRegistrationTexts
  trends: AdminTrendsTexts
  content: AdminContentTexts
  settings: AdminSettingsTexts
  operations: AdminOperationsTexts
}

export const enAdmin: AdminTexts = {
  frame: enAdminFrame,
  dashboard: enAdminDashboard,
  reports: enAdminReports,
  accounts: enAdminAccounts,
  federation: enAdminFederation,
  registration: enAdminRegistration,
  trends: enAdminTrends,
  content: enAdminContent,
  settings: enAdminSettings,
  operations: enAdminOperations,
}
