import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminTrends = {}

export type AdminTrendsTexts = Translated<typeof enAdminTrends>
