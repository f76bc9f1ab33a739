import { useId } from 'preact/hooks'
import type { ApiError } from '../api/client.ts'
import type { Filter } from '../api/entities.ts'
import { durationText, fullTime, texts } from '../texts.ts'
import { Choice, Field, TextField } from '../ui/form.tsx'
import { CONTEXTS, hasExpired, titleOf, type FilterValues } from './filter-values.ts'
import { KeywordFields } from './keyword-fields.tsx'

type FieldsProps = {
  values: FilterValues
  change: (part: Partial<FilterValues>) => void
  errors: ApiError['details']
  filter: Filter | null
}

const ACTIONS = Object.keys({ warn: true, blur: true, hide: true } satisfies Record<
  Filter['filter_action'],
  true
>) as Filter['filter_action'][]

export function FilterFields({ values, change, errors, filter }: FieldsProps) {
  const name = useId()
  const t = texts.lists
  return (
    <>
      <TextField
        label={t.list_title}
        errors={errors['title']}
        placeholder={titleOf(values)}
        value={values.title}
        onText={(title) => change({ title })}
      />
      <KeywordFields keywords={values.keywords} setKeywords={(keywords) => change({ keywords })} />
      <fieldset class="form-group">
        <legend>{t.action}</legend>
        {ACTIONS.map((action) => (
          <Choice
            key={action}
            type="radio"
            name={name}
            label={t[`action_${action}`]}
            hint={t[`action_${action}_hint`]}
            checked={values.action === action}
            onChange={() => change({ action })}
          />
        ))}
      </fieldset>
      <fieldset class="form-group">
        <legend>{t.contexts}</legend>
        {CONTEXTS.map((context) => (
          <Choice
            key={context}
            label={t[`context_${context}`]}
            checked={values.context.includes(context)}
            onChange={(checked) =>
              change({
                context: CONTEXTS.filter((each) => (each === context ? checked : values.context.includes(each))),
              })
            }
          />
        ))}
        {errors['context'] && (
          <p class="field-error" role="alert">
            {errors['context'].join(' ')}
          </p>
        )}
      </fieldset>
      <ExpirySelect values={values} filter={filter} change={change} />
    </>
  )
}

/** In seconds. */
const EXPIRIES = [1800, 3600, 21_600, 43_200, 86_400, 604_800]

type ExpiryProps = Pick<FieldsProps, 'values' | 'filter' | 'change'>

function ExpirySelect({ values: { expiresIn }, filter, change }: ExpiryProps) {
  const t = texts.lists
  const value = expiresIn === undefined ? 'unchanged' : String(expiresIn)
  const choose = (chosen: string) =>
    change({ expiresIn: chosen === 'unchanged' ? undefined : chosen === 'null' ? null : Number(chosen) })
  return (
    <Field label={t.expires}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {filter?.expires_at && (
            <option value="unchanged">
              {hasExpired(filter) ? t.expired : t.expires_unchanged({ date: fullTime(new Date(filter.expires_at)) })}
            </option>
          )}
          <option value="null">{t.expires_never}</option>
          {EXPIRIES.map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {t.expires_in({ time: durationText(seconds) })}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
