import { useId } from 'preact/hooks'
import type { Filter } from '../api/entities.ts'
import { fullTime, language, texts } from '../texts.ts'
import { Choice, Field } from '../ui/form.tsx'
import { CONTEXTS, type FilterErrors, type FilterValues } from './filter-values.ts'
import { KeywordFields } from './keyword-fields.tsx'

type FieldsProps = {
  values: FilterValues
  setValues: (values: FilterValues) => void
  errors: FilterErrors
  filter: Filter | null
}

const ACTIONS = ['warn', 'blur', 'hide'] as const

export function FilterFields({ values, setValues, errors, filter }: FieldsProps) {
  const name = useId()
  const t = texts.lists
  const change = (part: Partial<FilterValues>) => setValues({ ...values, ...part })
  return (
    <>
      <Field label={t.list_title} errors={errors['title']}>
        {(control) => (
          <input
            {...control}
            required
            dir="auto"
            autocomplete="off"
            value={values.title}
            onInput={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )}
      </Field>
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
            onChange={({ currentTarget: { checked } }) =>
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
const EXPIRIES: [number, 'minute' | 'hour' | 'day' | 'week'][] = [
  [30, 'minute'],
  [1, 'hour'],
  [6, 'hour'],
  [12, 'hour'],
  [1, 'day'],
  [1, 'week'],
]
const SECONDS = { minute: 60, hour: 3600, day: 86_400, week: 604_800 }

const duration = (count: number, unit: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

type ExpiryProps = Pick<FieldsProps, 'values' | 'filter'> & { change: (part: Partial<FilterValues>) => void }

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
            <option value="unchanged">{t.expires_unchanged({ date: fullTime(new Date(filter.expires_at)) })}</option>
          )}
          <option value="null">{t.expires_never}</option>
          {EXPIRIES.map(([count, unit]) => (
            <option key={unit + count} value={String(count * SECONDS[unit])}>
              {t.expires_in({ time: duration(count, unit) })}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
