import type { AdminSettingsTexts } from '../../en/admin/settings.ts'

export const jaAdminSettings: AdminSettingsTexts = {}
