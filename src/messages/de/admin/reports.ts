import type { AdminReportsTexts } from '../../en/admin/reports.ts'

export const deAdminReports: AdminReportsTexts = {}
