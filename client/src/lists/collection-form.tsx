import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { Collection } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { showError } from '../ui/toasts.tsx'

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
  const [values, setValues] = useState<CollectionValues>({
    name: initial?.name ?? '',
    description: htmlToPlainText(initial?.description ?? ''),
    tag_name: initial?.tag?.name ?? '',
    discoverable: initial?.discoverable ?? true,
    sensitive: initial?.sensitive ?? false,
  })
  const [errors, setErrors] = useState<ApiError['details']>({})
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    try {
      await save({ ...values, tag_name: values.tag_name?.trim() || null })
      setErrors({})
    } catch (error) {
      const details = error instanceof ApiError ? error.details : {}
      setErrors(details)
      if (!FIELDS.some((field) => details[field])) showError(error)
    }
    setSending(false)
  }
  return (
    <form
      class="form-area"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <CollectionFields values={values} errors={errors} change={(part) => setValues({ ...values, ...part })} />
      <div class="form-actions">
        <Button type="submit" kind="primary" disabled={isSending || values.name.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
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
      <Field label={t.collection_name} errors={errors['name']}>
        {(control) => (
          <input
            {...control}
            required
            dir="auto"
            autocomplete="off"
            value={values.name}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        )}
      </Field>
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
      <Field label={t.topic} hint={t.topic_hint} errors={errors['tag_name']}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            value={values.tag_name ?? ''}
            onInput={({ currentTarget }) => change({ tag_name: currentTarget.value })}
          />
        )}
      </Field>
      <Choice
        label={t.discoverable}
        hint={t.discoverable_hint}
        checked={values.discoverable}
        onChange={({ currentTarget }) => change({ discoverable: currentTarget.checked })}
      />
      <Choice
        label={t.sensitive}
        hint={t.sensitive_hint}
        checked={values.sensitive}
        onChange={({ currentTarget }) => change({ sensitive: currentTarget.checked })}
      />
    </>
  )
}
