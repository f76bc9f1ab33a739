import type { AdminDashboardTexts } from '../../en/admin/dashboard.ts'

export const jaAdminDashboard: AdminDashboardTexts = {}
