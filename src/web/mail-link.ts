// Pages behind the links in mails. They need no session, and a POST by a mail program (RFC 8058) does what their button does.
import type { FastifyReply } from 'fastify'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { html, type Html } from '../lib/html.ts'

export const sendMailLinkPage = (visit: FormVisit, title: string, body: readonly Html[]): Promise<FastifyReply> =>
  sendFormPage(visit, {
    title,
    body: () => html`<section class="card">
<h1>${title}</h1>
${body}
</section>`,
  })

/** The token stands for a CSRF token: only the mail has it, and mail programs have no cookies. */
export const mailLinkForm = (path: string, token: string, button: string): Html =>
  html`<form method="post" action="${`${path}?${new URLSearchParams({ token })}`}"><div class="actions"><button>${button}</button></div></form>`
