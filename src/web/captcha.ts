import { createCaptcha } from '../domain/registration/captcha.ts'
import type { Context } from '../context.ts'
import { fieldId } from '../html/forms.ts'
import { type Html, html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'

/** The part of a form that `html/scripts/captcha.js` fills in. `name`: of the parameter. */
export async function captchaField(
  ctx: Context,
  { captcha: t }: Texts,
  name: string,
  error: string | null,
): Promise<Html> {
  const { working, done, failed } = t
  return html`<div class="field" id="${fieldId(name)}" data-captcha="${await createCaptcha(ctx)}" data-messages="${JSON.stringify({ working, done, failed })}">
${error && html`<p class="field-error">${error}</p>`}
<input type="hidden" name="${name}" value="">
<p class="hint" role="status"></p>
<noscript><p class="notice info">${t.needs_script}</p></noscript>
</div>`
}
