import type { Translated } from '../pages.ts'

/** `{name}` marks where the page inserts markup. */
export const enAdminFederation = {}

export type AdminFederationTexts = Translated<typeof enAdminFederation>
