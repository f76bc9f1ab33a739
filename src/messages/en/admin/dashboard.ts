import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminDashboard = {}

export type AdminDashboardTexts = Translated<typeof enAdminDashboard>
