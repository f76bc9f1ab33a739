// Form controls whose labels, hints and errors are linked, for people who use a screen reader.

import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'

type Labelled = {
  label: string
  name: string
  error?: string | null
  hint?: string | Html
}

export type FormField = Labelled & {
  /** `text` unless given. */
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'number' | 'date' | 'datetime-local' | 'textarea'
  value?: string | null
  autocomplete?: string
  required?: boolean
  minLength?: number
  maxLength?: number
  inputMode?: 'numeric' | 'email' | 'url'
  autofocus?: boolean
  suffix?: string
  /** No capitals, corrections or spelling marks: names, addresses, codes. */
  literal?: boolean
}

export function field(t: Texts, options: FormField): Html {
  const { required = false, suffix } = options
  const control = options.type === 'textarea' ? textarea(options) : input(options)
  const affixed =
    suffix && html`<div class="affixed">${control}<span aria-hidden="true" dir="ltr">${suffix}</span></div>`
  return labelled(options, affixed || control, !required && optionalMark(t))
}

/** `mark` follows the label. */
const labelled = (options: Labelled, control: Html, mark: Html | false = false): Html => html`<div class="field">
<label for="${fieldId(options.name)}">${options.label}${mark}</label>
${remarks(options)}
${control}
</div>`

const optionalMark = (t: Texts): Html => html` <span class="optional">${t.form.optional}</span>`

export type Checkbox = Labelled & { checked?: boolean; required?: boolean; value?: string }

/** A labelled checkbox; sends `value` (`1`) when it is checked, nothing otherwise. */
export function checkbox(options: Checkbox): Html {
  const { label, name, value = '1' } = options
  return html`<div class="choice">
<input type="checkbox" id="${fieldId(name)}" name="${name}" value="${value}"${flag('checked', options.checked)}${common(options)}>
<label for="${fieldId(name)}">${label}</label>
${remarks(options)}
</div>`
}

export type Select = Labelled & { value?: string | null; options: readonly { value: string; label: string }[] }

export function select(options: Select): Html {
  const { name, value } = options
  const items = options.options.map((option) => optionTag(option, option.value === (value ?? '')))
  return labelled(options, html`<select id="${fieldId(name)}" name="${name}"${common(options)}>${items}</select>`)
}

export type MultiSelect = Labelled & {
  values: readonly string[]
  options: readonly { value: string; label: string }[]
  /** Visible rows. */
  rows?: number
}

/** Several of many choices; the form sends `name[]`. */
export function multiSelect(options: MultiSelect): Html {
  const { name, values, rows = 6 } = options
  const items = options.options.map((option) => optionTag(option, values.includes(option.value)))
  const control = html`<select multiple size="${rows}" id="${fieldId(name)}" name="${name}[]"${common(options)}>${items}</select>`
  return labelled(options, control)
}

const optionTag = ({ value, label }: { value: string; label: string }, isSelected: boolean): Html =>
  html`<option value="${value}"${flag('selected', isSelected)}>${label}</option>`

export type FileField = Labelled & { accept?: string; required?: boolean }

/** The form must be sent as `multipart/form-data`. */
export function fileField(t: Texts, options: FileField): Html {
  const { name, accept, required = false } = options
  const control = html`<input type="file" id="${fieldId(name)}" name="${name}"${accept && html` accept="${accept}"`}${common(options)}>`
  return labelled(options, control, !required && optionalMark(t))
}

export type Choice = { value: string; label: string; hint?: string }
export type RadioGroup = Omit<Labelled, 'label'> & { legend: string; value?: string | null; options: readonly Choice[] }

/** The first choice carries the group's id, to which the error summary links. */
export function radioGroup({ legend, name, value, options, ...rest }: RadioGroup): Html {
  const described = { label: legend, name, ...rest }
  const choices = options.map((choice, index) => {
    const id = index === 0 ? fieldId(name) : `${fieldId(name)}-${index}`
    const hint = choice.hint && html`<p class="hint" id="${id}-about">${choice.hint}</p>`
    const about = choice.hint ? html` aria-describedby="${id}-about"` : null
    const mark = flag('checked', choice.value === value)
    return html`<div class="choice">
<input type="radio" id="${id}" name="${name}" value="${choice.value}"${mark}${about} required>
<label for="${id}">${choice.label}</label>
${hint}
</div>`
  })
  return html`<fieldset${describedBy(described)}><legend>${legend}</legend>${remarks(described)}${choices}</fieldset>`
}

/** The problems with a form, above it: focused and read out when the page opens, with a link to each field. */
export function errorSummary(t: Texts, errors: readonly { name?: string; message: string }[]): Html | null {
  if (errors.length === 0) return null
  const items = errors.map(({ name, message }) => {
    return html`<li>${name ? html`<a href="#${fieldId(name)}">${message}</a>` : message}</li>`
  })
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>${t.form.problems({ count: errors.length })}</h2>
<ul>${items}</ul>
</div>`
}

export function fieldId(name: string): string {
  return `field-${name.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`
}

function input(options: FormField): Html {
  const { name, type = 'text' } = options
  // A password is never sent back to the page.
  const value = options.value && type !== 'password' ? html` value="${options.value}"` : null
  return html`<input type="${type}" id="${fieldId(name)}" name="${name}"${value}${common(options)}${typing(options)}>`
}

function textarea(options: FormField): Html {
  const { name, value } = options
  // The parser drops one line feed right after the tag.
  return html`<textarea id="${fieldId(name)}" name="${name}"${common(options)}${typing(options)}>
${value}</textarea>`
}

function typing({ autocomplete, minLength, maxLength, inputMode, autofocus, literal, error }: FormField): Html {
  return html`${autocomplete && html` autocomplete="${autocomplete}"`}${minLength !== undefined && html` minlength="${minLength}"`}${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }${inputMode && html` inputmode="${inputMode}"`}${literal && html` autocapitalize="none" autocorrect="off" spellcheck="false"`}${flag(
    'autofocus',
    autofocus && !error,
  )}`
}

function common(options: Labelled & { required?: boolean }): Html {
  return html`${flag('required', options.required)}${options.error && html` aria-invalid="true"`}${describedBy(options)}`
}

function describedBy({ name, hint, error }: Labelled): Html | null {
  const ids = [hint && `${fieldId(name)}-hint`, error && `${fieldId(name)}-error`].filter(Boolean)
  return ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : null
}

function remarks({ name, hint, error }: Labelled): Html {
  return html`${hint && html`<p class="hint" id="${fieldId(name)}-hint">${hint}</p>`}${
    error && html`<p class="field-error" id="${fieldId(name)}-error">${error}</p>`
  }`
}

function flag(name: 'checked' | 'required' | 'autofocus' | 'selected', on: boolean | undefined): Html | null {
  return on ? html` ${name}` : null
}
