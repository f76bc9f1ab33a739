// Parts of forms: fields with a label, a hint and the server's errors; check boxes and radio buttons with a hint.
import type { ComponentChildren, FormHTMLAttributes, InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import './form.css'

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & { onSubmit: () => unknown }

/** A form whose values `onSubmit` sends, instead of the browser. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

/** What an input needs so that screen readers read out its hint and errors. */
export type FieldControl = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }

type FieldProps = {
  label: string
  hint?: ComponentChildren
  errors?: readonly string[] | undefined
  /** Hides the label from sight. */
  isLabelHidden?: boolean
  children: (control: FieldControl) => ComponentChildren
}

export function Field({ label, hint, errors = [], isLabelHidden = false, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : 'field-label'}>
        {label}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(errors.length > 0 ? { 'aria-invalid': true } : {}),
      })}
      {errors.length > 0 && (
        <p id={`${id}-errors`} class="field-error">
          {errors.join(' ')}
        </p>
      )}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

type TextFieldProps = Pick<FieldProps, 'label' | 'hint' | 'errors'> &
  Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'autocapitalize' | 'dir' | 'inputMode' | 'maxLength' | 'onKeyDown' | 'placeholder' | 'required' | 'spellcheck'
  > & { value: string; onText: (text: string) => void }

/** A field for one line of text. */
export function TextField({ label, hint, errors, onText, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(control) => (
        <input
          dir="auto"
          autocomplete="off"
          {...control}
          {...input}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}

type ChoiceProps = {
  type?: 'checkbox' | 'radio'
  label: ComponentChildren
  hint?: ComponentChildren
  name?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A check box or radio button. The whole line can be clicked. */
export function Choice({ type = 'checkbox', label, hint, onChange, ...rest }: ChoiceProps) {
  return (
    <label class="choice">
      <input {...rest} type={type} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  )
}
