import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { Collection } from '../api/entities.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { texts } from '../texts.ts'
import { Choice, Field, Form, TextField } from '../ui/form.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { showError } from '../ui/toasts.tsx'
import { FormActions } from './form-actions.tsx'

export type CollectionValues = {
  name: string
  description: string
  tag_name: string | null
  discoverable: boolean
  sensitive: boolean
}

type FormProps = {
  initial?: Collection
  action: ComponentChildren
  save: (values: CollectionValues) => Promise<void>
}

export function CollectionForm({ initial, action, save }: FormProps) {
  const draft = useFormDraft<CollectionValues>(`collection ${initial?.id ?? 'new'}`, {
    name: initial?.name ?? '',
    description: htmlToPlainText(initial?.description ?? ''),
    tag_name: initial?.tag?.name ?? '',
    discoverable: initial?.discoverable ?? true,
    sensitive: initial?.sensitive ?? false,
  })
  const { values, change } = draft
  const [errors, setErrors] = useState<ApiError['details']>({})
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    try {
      await save({ ...values, tag_name: values.tag_name?.trim() || null })
      draft.discard()
      setErrors({})
    } catch (error) {
      const details = error instanceof ApiError ? error.details : {}
      setErrors(details)
      if (!FIELDS.some((field) => details[field])) showError(error)
    }
    setSending(false)
  }
  return (
    <Form class="form-area" onSubmit={submit}>
      <CollectionFields values={values} errors={errors} change={change} />
      <FormActions draft={draft} action={action} disabled={isSending || values.name.trim() === ''} />
    </Form>
  )
}

const FIELDS = ['name', 'description', 'tag_name'] as const

type FieldsProps = {
  values: CollectionValues
  errors: ApiError['details']
  change: (part: Partial<CollectionValues>) => void
}

function CollectionFields({ values, errors, change }: FieldsProps) {
  const t = texts.lists
  return (
    <>
      <TextField
        label={t.collection_name}
        errors={errors['name']}
        required
        value={values.name}
        onText={(name) => change({ name })}
      />
      <Field label={t.description} errors={errors['description']}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            dir="auto"
            value={values.description}
            onInput={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </Field>
      <TextField
        label={t.topic}
        hint={t.topic_hint}
        errors={errors['tag_name']}
        autocapitalize="none"
        value={values.tag_name ?? ''}
        onText={(tag_name) => change({ tag_name })}
      />
      <Choice
        label={t.discoverable}
        hint={t.discoverable_hint}
        checked={values.discoverable}
        onChange={(discoverable) => change({ discoverable })}
      />
      <Choice
        label={t.sensitive}
        hint={t.sensitive_hint}
        checked={values.sensitive}
        onChange={(sensitive) => change({ sensitive })}
      />
    </>
  )
}
