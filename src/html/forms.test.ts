import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkbox, errorSummary, field, fieldId, radioGroup } from './forms.ts'
import { english } from './texts.ts'

test('an input has its label, and refers to its hint and error', () => {
  const markup = String(
    field(english, {
      label: 'Name <',
      name: 'user[name]',
      value: '"x"',
      hint: 'Short.',
      error: 'Taken & gone',
      required: true,
    }),
  )
  assert.ok(markup.includes('<label for="field-user-name">Name &lt;</label>'))
  assert.ok(
    markup.includes(
      '<input type="text" id="field-user-name" name="user[name]" value="&quot;x&quot;" required aria-invalid="true" ' +
        'aria-describedby="field-user-name-hint field-user-name-error">',
    ),
  )
  assert.ok(markup.includes('<p class="hint" id="field-user-name-hint">Short.</p>'))
  assert.ok(markup.includes('<p class="field-error" id="field-user-name-error">Taken &amp; gone</p>'))
})

test('missing options give no attributes, and optional fields are marked', () => {
  const markup = String(field(english, { label: 'A', name: 'a' }))
  assert.doesNotMatch(markup, /aria-|hint|error|value|required|undefined|false|null/)
  assert.ok(markup.includes('(optional)'))
})

test('autocomplete, length limits, input mode and suffix are rendered', () => {
  const markup = String(
    field(english, {
      label: 'A',
      name: 'a',
      type: 'email',
      autocomplete: 'email',
      minLength: 1,
      maxLength: 30,
      inputMode: 'email',
      literal: true,
      autofocus: true,
      suffix: '@home.test',
    }),
  )
  assert.ok(
    markup.includes(
      ' autocomplete="email" minlength="1" maxlength="30" inputmode="email" autocapitalize="none" autocorrect="off" spellcheck="false" autofocus>',
    ),
  )
  assert.ok(markup.includes('<span aria-hidden="true" dir="ltr">@home.test</span>'))
})

test('passwords are never rendered, and the text of a textarea is escaped', () => {
  assert.doesNotMatch(String(field(english, { label: 'P', name: 'p', type: 'password', value: 'secret' })), /secret/)
  const markup = String(field(english, { label: 'T', name: 't', type: 'textarea', value: '\n</textarea><b>' }))
  assert.ok(markup.includes('>\n\n&lt;/textarea&gt;&lt;b&gt;</textarea>'))
})

test('checkboxes and radio buttons are rendered', () => {
  const box = String(checkbox({ label: 'Agree', name: 'agreement', checked: true, error: 'Please agree.' }))
  assert.ok(
    box.includes(
      'id="field-agreement" name="agreement" value="1" checked aria-invalid="true" aria-describedby="field-agreement-error">',
    ),
  )
  const group = String(
    radioGroup({
      legend: 'Who?',
      name: 'mode',
      value: 'b',
      error: 'Choose.',
      options: [
        { value: 'a', label: 'A', hint: 'first' },
        { value: 'b', label: 'B' },
      ],
    }),
  )
  assert.ok(group.startsWith('<fieldset aria-describedby="field-mode-error"><legend>Who?</legend>'))
  assert.ok(group.includes('id="field-mode" name="mode" value="a" aria-describedby="field-mode-about" required>'))
  assert.ok(group.includes('id="field-mode-1" name="mode" value="b" checked required>'))
})

test('the error summary links to the fields', () => {
  assert.equal(errorSummary(english, []), null)
  const markup = String(errorSummary(english, [{ name: 'user[name]', message: 'Taken' }, { message: 'Try <again>' }]))
  assert.match(markup, /^<div class="error-summary" role="alert" tabindex="-1" autofocus>/)
  assert.ok(markup.includes(`<li><a href="#${fieldId('user[name]')}">Taken</a></li><li>Try &lt;again&gt;</li>`))
})
