import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminSettings = {}

export type AdminSettingsTexts = Translated<typeof enAdminSettings>
