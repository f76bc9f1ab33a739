import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminReports = {}

export type AdminReportsTexts = Translated<typeof enAdminReports>
