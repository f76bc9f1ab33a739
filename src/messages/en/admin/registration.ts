import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminRegistration = {}

export type AdminRegistrationTexts = Translated<typeof enAdminRegistration>
