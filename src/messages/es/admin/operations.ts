import type { AdminOperationsTexts } from '../../en/admin/operations.ts'

export const esAdminOperations: AdminOperationsTexts = {}
