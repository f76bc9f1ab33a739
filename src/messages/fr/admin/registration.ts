import type { AdminRegistrationTexts } from '../../en/admin/registration.ts'

export const frAdminRegistration: AdminRegistrationTexts = {}
