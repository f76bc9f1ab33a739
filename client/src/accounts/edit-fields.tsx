// The pairs of name and value on the viewer's profile.
import { ArrowDown, ArrowUp, BadgeCheck, Plus, Trash2 } from 'lucide'
import { useRef } from 'preact/hooks'
import { useInstance, useMe } from '../state/me.ts'
import { fullDay, fullNumber, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { focusLast } from '../ui/focus-last.ts'
import { Icon } from '../ui/icon.tsx'
import { moved } from '../ui/moved.ts'
import { CopiedCode } from './copied-code.tsx'
import { changeProfileDraft, newFieldRow, profileDraft, verifiedAt, type FieldRow } from './profile-draft.ts'

export function EditFields({ errors = [] }: { errors: string[] | undefined }) {
  const { configuration } = useInstance()
  const { max_profile_fields: limit } = configuration.accounts
  const fields = profileDraft.value?.fields ?? []
  const t = texts.profile_edit
  const group = useRef<HTMLFieldSetElement>(null)
  const change = (changed: FieldRow[]) => changeProfileDraft({ fields: changed })
  const add = () => {
    change([...fields, newFieldRow()])
    focusLast(group.current, '.edit-field-inputs > :first-child')
  }
  return (
    <fieldset ref={group} class="edit-section">
      <legend>{t.fields}</legend>
      <small>{t.fields_hint}</small>
      {errors.length > 0 && (
        <p class="field-error" role="alert">
          {errors.join(' ')}
        </p>
      )}
      {fields.map((field, row) => (
        <div key={field.key} class="edit-field" role="group" aria-label={t.field({ number: fullNumber(row + 1) })}>
          <FieldInputs
            field={field}
            onChange={(changed) => change(fields.map((each) => (each === field ? changed : each)))}
          />
          <FieldButtons fields={fields} row={row} change={change} />
        </div>
      ))}
      <Button icon={Plus} disabled={fields.length >= limit} onClick={add}>
        {t.add_field}
      </Button>
      <Verification />
    </fieldset>
  )
}

type ButtonsProps = { fields: FieldRow[]; row: number; change: (fields: FieldRow[]) => void }

function FieldButtons({ fields, row, change }: ButtonsProps) {
  const t = texts.profile_edit
  const moveTo = (to: number, button: HTMLButtonElement) => {
    change(moved(fields, row, to))
    // What moves within the document loses the focus.
    setTimeout(() => button.focus())
  }
  return (
    <div class="edit-field-buttons">
      <IconButton
        icon={ArrowUp}
        label={t.move_up}
        disabled={row === 0}
        onClick={({ currentTarget }) => moveTo(row - 1, currentTarget)}
      />
      <IconButton
        icon={ArrowDown}
        label={t.move_down}
        disabled={row === fields.length - 1}
        onClick={({ currentTarget }) => moveTo(row + 1, currentTarget)}
      />
      <IconButton icon={Trash2} label={t.remove_field} onClick={() => change(fields.toSpliced(row, 1))} />
    </div>
  )
}

function FieldInputs({ field, onChange }: { field: FieldRow; onChange: (field: FieldRow) => void }) {
  const { accounts } = useInstance().configuration
  const verified = verifiedAt(field)
  const t = texts.profile_edit
  const parts = [
    { name: 'name', label: t.field_name, limit: accounts.profile_field_name_limit },
    { name: 'value', label: t.field_value, limit: accounts.profile_field_value_limit },
  ] as const
  return (
    <div class="edit-field-inputs">
      {parts.map(({ name, label, limit }) => (
        <input
          key={name}
          dir="auto"
          aria-label={label}
          placeholder={label}
          maxLength={limit}
          value={field[name]}
          onInput={(event) => onChange({ ...field, [name]: event.currentTarget.value })}
        />
      ))}
      {verified && (
        <small class="edit-field-verified">
          <Icon icon={BadgeCheck} size={16} />
          {texts.accounts.verified({ date: fullDay(new Date(verified)) })}
        </small>
      )}
    </div>
  )
}

function Verification() {
  const { url, uri } = useMe()
  const code = `<a rel="me" href="${url ?? uri}">Mastodon</a>`
  const t = texts.profile_edit
  return (
    <details class="verification">
      <summary>{t.verify}</summary>
      <p>{t.verify_text}</p>
      <CopiedCode code={code} />
    </details>
  )
}
