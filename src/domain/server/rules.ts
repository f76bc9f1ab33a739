import type { Context } from '../../context.ts'
import type { Rules } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidFields, invalidRequest, NotFound, type ErrorDetails } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { closestLanguage, languageOf } from './languages.ts'

type RuleText = Pick<Rules, 'text' | 'hint'>

/** `hint` explains the rule, and may be empty. `translations`: by language. */
export type ServerRule = RuleText & Pick<Rules, 'id'> & { translations: Record<string, RuleText> }

const columns = sql`
  r.id, r.text, r.hint, coalesce((
    select jsonb_object_agg(t.language, jsonb_build_object('text', t.text, 'hint', t.hint))
    from rule_translations t where t.rule_id = r.id), '{}') as translations`

/** In their order, without deleted ones. */
export const listRules = (ctx: Context): Promise<ServerRule[]> =>
  ctx.db.many<ServerRule>(sql`select ${columns} from rules r where r.deleted_at is null order by r.position, r.id`)

/** Deleted ones too: reports refer to them. */
export const findRules = (ctx: Context, ids: readonly string[]): Promise<ServerRule[]> =>
  ctx.db.many<ServerRule>(
    sql`select ${columns} from rules r where r.id = any(${ids}::bigint[]) order by r.position, r.id`,
  )

/** Throws NotFound. */
export async function getRule(ctx: Context, id: string): Promise<ServerRule> {
  const rule = await ctx.db.maybe<ServerRule>(
    sql`select ${columns} from rules r where r.id = ${id} and r.deleted_at is null`,
  )
  if (!rule) throw new NotFound()
  return rule
}

/** In the language of the reader, if the rule has it. A translation without a hint has none. */
export function ruleIn(rule: ServerRule, language: string): RuleText {
  const own = closestLanguage(language, new Set(Object.keys(rule.translations)))
  return (own !== null && rule.translations[own]) || rule
}

const MAX_RULES = 100
export const MAX_RULE_TEXT = 300
export const MAX_RULE_HINT = 1000

export type RuleForm = RuleText & { translations: readonly (RuleText & { language: string })[] }

/** Drops empty translations. Throws Invalid with `details`; problems of a translation name its language: `text.de`. */
export function checkRule(form: RuleForm): RuleForm {
  const details: ErrorDetails = {}
  const check = (suffix: string, { text, hint }: RuleText): void => {
    if (text === '') details[`text${suffix}`] = [{ error: 'ERR_BLANK', description: message('blank') }]
    if ([...text].length > MAX_RULE_TEXT) details[`text${suffix}`] = [tooLong(MAX_RULE_TEXT)]
    if ([...hint].length > MAX_RULE_HINT) details[`hint${suffix}`] = [tooLong(MAX_RULE_HINT)]
  }
  const trimmed = <T extends RuleText>(one: T): T => ({ ...one, text: one.text.trim(), hint: one.hint.trim() })
  const rule = trimmed({ text: form.text, hint: form.hint })
  check('', rule)
  const translations = form.translations.map(trimmed).filter(({ text, hint }) => text !== '' || hint !== '')
  for (const one of translations) {
    check(`.${one.language}`, one)
    if (languageOf(one.language) !== one.language)
      details['language'] = [{ error: 'ERR_INVALID', description: message('invalid') }]
  }
  if (Object.keys(details).length > 0) throw invalidFields(details)
  return { ...rule, translations }
}

const tooLong = (count: number): ErrorDetails[string][number] => ({
  error: 'ERR_TOO_LONG',
  description: message('too_long', { count }),
})

/** Adds a rule at the end. Throws Invalid above the limit. */
export async function insertRule(tx: Context, { text, hint }: RuleText): Promise<string> {
  const row = await tx.db.maybe<Pick<Rules, 'id'>>(sql`
    insert into rules (text, hint, position)
    select ${text}, ${hint}, coalesce(max(position), 0) + 1 from rules where deleted_at is null
    having count(*) < ${MAX_RULES}
    returning id`)
  if (!row) throw invalidRequest('too_many_entries', { count: MAX_RULES })
  return row.id
}

/** Throws NotFound. */
export async function updateRuleText(tx: Context, id: string, { text, hint }: RuleText): Promise<void> {
  const changed = await tx.db.run(sql`
    update rules set text = ${text}, hint = ${hint}, updated_at = now() where id = ${id} and deleted_at is null`)
  if (changed === 0) throw new NotFound()
}

/** Replaces all of them. */
export async function storeTranslations(
  tx: Context,
  id: string,
  translations: RuleForm['translations'],
): Promise<void> {
  await tx.db.run(sql`delete from rule_translations where rule_id = ${id}`)
  await tx.db.run(sql`
    insert into rule_translations (rule_id, language, text, hint)
    select distinct on (language) ${id}::bigint, language, text, hint
    from unnest(${translations.map(({ language }) => language)}::text[], ${translations.map(({ text }) => text)}::text[],
      ${translations.map(({ hint }) => hint)}::text[]) as t (language, text, hint)`)
}

/** Reports keep referring to it. Throws NotFound. */
export async function markRuleDeleted(tx: Context, id: string): Promise<void> {
  const changed = await tx.db.run(sql`update rules set deleted_at = now() where id = ${id} and deleted_at is null`)
  if (changed === 0) throw new NotFound()
}

/** Renumbers all rules, in the order of `ids`. Others follow in their present order. */
export async function storeRuleOrder(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    update rules r set position = o.position from (
      select r.id, row_number() over (order by w.position nulls last, r.position, r.id) as position
      from rules r left join unnest(${ids}::bigint[]) with ordinality as w (id, position) on w.id = r.id
      where r.deleted_at is null
    ) o where o.id = r.id and r.position <> o.position`)
}
