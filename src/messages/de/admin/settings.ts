import type { AdminSettingsTexts } from '../../en/admin/settings.ts'

export const deAdminSettings: AdminSettingsTexts = {}
