import type { AdminContentTexts } from '../../en/admin/content.ts'

export const esAdminContent: AdminContentTexts = {}
