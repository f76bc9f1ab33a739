import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  checkRule,
  getRule,
  insertRule,
  listRules,
  markRuleDeleted,
  storeRuleOrder,
  storeTranslations,
  updateRuleText,
  type RuleForm,
} from '../../domain/server/rules.ts'

/** Returns the id. Throws Invalid with `details`. */
export async function createRule(ctx: Context, staffId: StaffId, form: RuleForm): Promise<string> {
  const rule = checkRule(form)
  return ctx.transaction(async (tx) => {
    const id = await insertRule(tx, rule)
    await storeTranslations(tx, id, rule.translations)
    await recordAndPublish(tx, staffId, 'create', { id, ...rule })
    return id
  })
}

/** Does nothing for the same texts. Throws NotFound; Invalid with `details`. */
export async function modifyRule(ctx: Context, staffId: StaffId, id: string, form: RuleForm): Promise<void> {
  const rule = checkRule(form)
  const translations = Object.fromEntries(rule.translations.map(({ language, ...one }) => [language, one]))
  await ctx.transaction(async (tx) => {
    if (isDeepStrictEqual({ id, ...rule, translations }, await getRule(tx, id))) return
    await updateRuleText(tx, id, rule)
    await storeTranslations(tx, id, rule.translations)
    await recordAndPublish(tx, staffId, 'update', { id, ...rule })
  })
}

/** Reports keep referring to it. Throws NotFound. */
export const deleteRule = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { text } = await getRule(tx, id)
    await markRuleDeleted(tx, id)
    await recordAndPublish(tx, staffId, 'delete', { id, text })
  })

/** Changes places with its neighbour; the first and the last one stay where they are. Throws NotFound. */
export const moveRule = (ctx: Context, staffId: StaffId, id: string, direction: 'up' | 'down'): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { text } = await getRule(tx, id)
    const ids = (await listRules(tx)).map((rule) => rule.id)
    const from = ids.indexOf(id)
    const to = from + (direction === 'up' ? -1 : 1)
    const neighbour = ids[to]
    if (neighbour === undefined) return
    ids[to] = id
    ids[from] = neighbour
    await storeRuleOrder(tx, ids)
    await recordAndPublish(tx, staffId, 'order', { id, text })
  })

async function recordAndPublish(
  tx: Context,
  staffId: StaffId,
  action: 'create' | 'update' | 'order' | 'delete',
  { id, text }: { id: string; text: string },
): Promise<void> {
  await insertAuditEntry(tx, staffId, { type: 'rule', action, id, label: text })
  // The descriptions of the server contain its rules.
  tx.publish({ type: 'settings.changed' })
}
