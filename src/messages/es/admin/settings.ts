import type { AdminSettingsTexts } from '../../en/admin/settings.ts'

export const esAdminSettings: AdminSettingsTexts = {}
