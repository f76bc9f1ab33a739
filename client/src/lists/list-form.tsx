// The title of a list, and what of its members it shows.
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { List } from '../api/entities.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { texts } from '../texts.ts'
import { Choice, Form, TextField } from '../ui/form.tsx'
import { showError } from '../ui/toasts.tsx'
import { FormActions } from './form-actions.tsx'

export type ListValues = Pick<List, 'title' | 'replies_policy' | 'exclusive'>

const POLICIES = ['list', 'followed', 'none'] as const

type ListFormProps = {
  id?: string
  initial?: ListValues
  action: ComponentChildren
  save: (values: ListValues) => Promise<void>
}

const NEW: ListValues = { title: '', replies_policy: 'list', exclusive: false }

export function ListForm({ id = 'new', initial = NEW, action, save }: ListFormProps) {
  const draft = useFormDraft(`list ${id}`, initial)
  const { values, change } = draft
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    try {
      await save({ ...values, title: values.title.trim() })
      draft.discard()
      setErrors([])
    } catch (error) {
      const details = error instanceof ApiError ? error.details['title'] : undefined
      if (details) setErrors(details)
      else showError(error)
    }
    setSending(false)
  }
  return (
    <Form onSubmit={submit}>
      <ListFields values={values} errors={errors} change={change} />
      <FormActions draft={draft} action={action} disabled={isSending || values.title.trim() === ''} />
    </Form>
  )
}

type FieldsProps = { values: ListValues; errors: readonly string[]; change: (part: Partial<ListValues>) => void }

function ListFields({ values, errors, change }: FieldsProps) {
  const name = useId()
  const t = texts.lists
  return (
    <>
      <TextField
        label={t.list_title}
        errors={errors}
        required
        maxLength={256}
        value={values.title}
        onText={(title) => change({ title })}
      />
      <fieldset class="form-group">
        <legend>{t.replies}</legend>
        {POLICIES.map((policy) => (
          <Choice
            key={policy}
            type="radio"
            name={name}
            label={t[`replies_${policy}`]}
            checked={values.replies_policy === policy}
            onChange={() => change({ replies_policy: policy })}
          />
        ))}
      </fieldset>
      <Choice
        label={t.exclusive}
        hint={t.exclusive_hint}
        checked={values.exclusive}
        onChange={(exclusive) => change({ exclusive })}
      />
    </>
  )
}
