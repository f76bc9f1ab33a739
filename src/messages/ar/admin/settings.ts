import type { AdminSettingsTexts } from '../../en/admin/settings.ts'

export const arAdminSettings: AdminSettingsTexts = {}
