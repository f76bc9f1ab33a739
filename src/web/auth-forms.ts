import { loginOf } from '../domain/auth/sign-in.ts'
import { checkForm } from '../html/csrf.ts'
import { type FormVisit, textParam } from '../html/form-page.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { type Html, html } from '../lib/html.ts'

/** Where to go on to: a path on this server with its query, or null for everything else, which may lead anywhere. */
export function localPath(text: string): string | null {
  if (!isPath(text)) return null
  const base = 'http://here.invalid'
  const url = URL.parse(text, base)
  if (url?.origin !== base) return null
  // Parsing drops tabs and dot segments, after which the path may begin like another host's address.
  const path = `${url.pathname}${url.search}${url.hash}`
  return isPath(path) ? path : null
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)

/**
 * Takes a form that asks for a mail to whoever has an address or name. How often is limited. The mail is not waited for, so that
 * the time tells nobody whether there is such an account.
 */
export async function takeMailRequest(
  { ctx, request }: FormVisit,
  send: (login: string) => Promise<void>,
): Promise<void> {
  await checkForm(ctx, request)
  const login = textParam(request.body, 'user', 'email').trim()
  await limitUse(ctx, 'mail', addressKey(request.ip))
  await limitUse(ctx, 'mail-address', loginOf(login))
  send(login).catch((error: unknown) => ctx.log.error({ err: error }, 'a mail that was asked for could not be sent'))
}

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
