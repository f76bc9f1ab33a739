import type { AdminFederationTexts } from '../../en/admin/federation.ts'

export const frAdminFederation: AdminFederationTexts = {}
