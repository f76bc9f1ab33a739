import type { AdminFederationTexts } from '../../en/admin/federation.ts'

export const jaAdminFederation: AdminFederationTexts = {}
