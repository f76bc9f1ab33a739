import type { Context } from '../../context.ts'
import type { AccountWarningPresets } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidField, NotFound, requiredText } from '../../lib/errors.ts'

export const MAX_PRESET_TITLE = 100
/** In characters; also of a warning. */
export const MAX_WARNING_TEXT = 5000

export type WarningPreset = Pick<AccountWarningPresets, 'id' | 'title' | 'text'>
export type PresetForm = Pick<WarningPreset, 'title' | 'text'>

/** By title. */
export const listPresets = (ctx: Context): Promise<WarningPreset[]> =>
  ctx.db.many<WarningPreset>(sql`select id, title, text from account_warning_presets order by lower(title), id`)

export const findPreset = (ctx: Context, id: string): Promise<WarningPreset | null> =>
  ctx.db.maybe<WarningPreset>(sql`select id, title, text from account_warning_presets where id = ${id}`)

/** Throws NotFound. */
export async function getPreset(ctx: Context, id: string): Promise<WarningPreset> {
  const preset = await findPreset(ctx, id)
  if (!preset) throw new NotFound()
  return preset
}

/** The trimmed texts. Throws Invalid for a missing or long one; the title may be missing. */
function checkPreset(form: PresetForm): PresetForm {
  const title = form.title.trim()
  const text = requiredText('text', form.text, MAX_WARNING_TEXT)
  if ([...title].length > MAX_PRESET_TITLE) throw invalidField('title', 'too_long', { count: MAX_PRESET_TITLE })
  return { title, text }
}

/** Returns the id. Throws Invalid. */
export async function insertPreset(tx: Context, form: PresetForm): Promise<string> {
  const { title, text } = checkPreset(form)
  const { id } = await tx.db.one<{ id: string }>(
    sql`insert into account_warning_presets (title, text) values (${title}, ${text}) returning id`,
  )
  return id
}

/** False when it was so before. Throws Invalid, and NotFound for an unknown preset. */
export async function updatePreset(tx: Context, id: string, form: PresetForm): Promise<boolean> {
  const { title, text } = checkPreset(form)
  await getPreset(tx, id)
  const changed = await tx.db.run(sql`
    update account_warning_presets set title = ${title}, text = ${text}, updated_at = now()
    where id = ${id} and (title, text) is distinct from (${title}, ${text})`)
  return changed > 0
}

/** Throws NotFound. */
export async function deletePreset(tx: Context, id: string): Promise<void> {
  if ((await tx.db.run(sql`delete from account_warning_presets where id = ${id}`)) === 0) throw new NotFound()
}
