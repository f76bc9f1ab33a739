import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deletePreset,
  getPreset,
  insertPreset,
  type PresetForm,
  updatePreset,
} from '../../domain/moderation/presets.ts'
import { cutText } from '../../lib/text/count.ts'

const labelOfPreset = ({ title, text }: PresetForm): string => title.trim() || cutText(text.trim(), 60)

/** Throws Invalid. */
export const addPreset = (ctx: Context, staffId: StaffId, form: PresetForm): Promise<void> =>
  ctx.transaction(async (tx) => {
    const id = await insertPreset(tx, form)
    await insertAuditEntry(tx, staffId, {
      type: 'account_warning_preset',
      action: 'create',
      id,
      label: labelOfPreset(form),
    })
  })

/** Does nothing for the same texts. Throws Invalid, NotFound. */
export const changePreset = (ctx: Context, staffId: StaffId, id: string, form: PresetForm): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await updatePreset(tx, id, form))) return
    await insertAuditEntry(tx, staffId, {
      type: 'account_warning_preset',
      action: 'update',
      id,
      label: labelOfPreset(form),
    })
  })

/** Warnings that used it keep its text. Throws NotFound. */
export const removePreset = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const preset = await getPreset(tx, id)
    await deletePreset(tx, id)
    await insertAuditEntry(tx, staffId, {
      type: 'account_warning_preset',
      action: 'delete',
      id,
      label: labelOfPreset(preset),
    })
  })
