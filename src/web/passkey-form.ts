import { html, type Html } from '../lib/html.ts'

/** A form that the browser fills in with a passkey; see `http/scripts/passkeys.js`, which its page has to load. */
export function passkeyForm(form: {
  kind: 'create' | 'get'
  options: object
  action: string
  hidden: Html
  button: string
  more?: Html
}): Html {
  return html`<form method="post" action="${form.action}" data-passkey="${form.kind}" data-options="${JSON.stringify(form.options)}">${form.hidden}<input type="hidden" name="answer" value="">
${form.more}
<p class="field-error" role="alert" data-passkey-message hidden></p>
<noscript><p class="hint">Passkeys need JavaScript.</p></noscript>
<div class="actions"><button>${form.button}</button></div>
</form>`
}
