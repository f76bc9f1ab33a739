import type { AdminTrendsTexts } from '../../en/admin/trends.ts'

export const esAdminTrends: AdminTrendsTexts = {}
