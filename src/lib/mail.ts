import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from './concurrency.ts'
import { Unavailable, invalidField } from './errors.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { message } from '../messages/message.ts'

/**
 * `tls`: from the first byte on (port 465); otherwise STARTTLS if the server offers it. `verify`: requires valid certificates.
 */
export type SmtpSettings = {
  host: string
  port: number
  user: string | null
  password: string | null
  from: string
  tls: boolean
  verify: boolean
}

/**
 * `unsubscribe`: the address that ends mails of this kind after a POST without a session (RFC 8058). `id`: the Message-ID,
 * without which each attempt has its own.
 */
export type Mail = { to: string; subject: string; text: string; unsubscribe?: string; id?: string }

/**
 * Resolves when the mail server has accepted the mail. Throws Invalid for an invalid address, Unavailable when the server
 * refuses, RecipientRefused when it does so for good and because of the address.
 */
type Mailer = { send(mail: Mail): Promise<void> }

type MailerOptions = {
  /** Null: writes mails into `mailDir` and to the log, so that a laptop needs no mail server. */
  smtp: SmtpSettings | null
  mailDir: string
  log: Log
}

export class RecipientRefused extends Unavailable {}

const SMTP_TIMEOUT_MS = 20_000

export function createMailer({ smtp, mailDir, log }: MailerOptions): Mailer {
  const deliver = smtp ? smtpDelivery(smtp) : fileDelivery(mailDir, log)
  return {
    async send(mail) {
      if (!isEmail(mail.to)) throw invalidField('mail', 'invalid')
      await deliver({ ...mail, subject: oneLine(mail.subject) })
    },
  }
}

/** A line break would end the header, and a subject may quote a name with one. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

function smtpDelivery(smtp: SmtpSettings): (mail: Mail) => Promise<void> {
  const transport = once(async () =>
    (await import('nodemailer')).createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.tls,
      tls: { rejectUnauthorized: smtp.verify },
      ...(smtp.user !== null && { auth: { user: smtp.user, pass: smtp.password ?? '' } }),
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return async ({ to, subject, text, unsubscribe, id }) => {
    try {
      // An object, as nodemailer parses a string as a list of names and addresses.
      await (
        await transport()
      ).sendMail({
        subject,
        text,
        from: smtp.from,
        to: { name: '', address: to },
        ...(id === undefined ? {} : { messageId: id }),
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe) },
      })
    } catch (error) {
      const Failure = isRecipientRefused(error as SmtpError) ? RecipientRefused : Unavailable
      throw new Failure(message('mail_failed'), withoutReply(error))
    }
  }
}

const unsubscribeHeaders = (address: string | undefined): Record<string, string> =>
  address === undefined
    ? {}
    : { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

type SmtpError = Error & { responseCode?: number; response?: string; command?: string }

/** Not for the reasons of RFC 3463, 3.8, such as "relaying denied" and quotas: they would concern every address. */
const isRecipientRefused = ({ responseCode = 0, response = '', command }: SmtpError): boolean =>
  responseCode >= 500 && command === 'RCPT TO' && !/^\d{3}[ -]5\.7\./.test(response)

/** Errors are logged, and the text of a mail server's reply may quote the recipient: only its codes remain. */
function withoutReply(error: unknown): unknown {
  const { responseCode, response = '', command = 'the connection' } = error as SmtpError
  if (responseCode === undefined) return error
  const [codes = responseCode] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return new Error(`the mail server answered ${codes} to ${command}`)
}

/** Writes one .eml per mail with unencoded text, which mail programs open and scripts can search. Their names are in order. */
function fileDelivery(mailDir: string, log: Log): (mail: Mail) => Promise<void> {
  return async ({ to, subject, text, unsubscribe, id }) => {
    const now = new Date()
    const file = join(mailDir, `${now.toISOString().replaceAll(':', '-')}-${newId()}.eml`)
    const head = [
      `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      ...(id === undefined ? [] : [`Message-ID: ${id}`]),
      ...Object.entries(unsubscribeHeaders(unsubscribe)).map(([name, value]) => `${name}: ${value}`),
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
    ]
    await mkdir(mailDir, { recursive: true, mode: 0o700 })
    await writeFile(file, `${head.join('\n')}\n\n${text.trimEnd()}\n`, { mode: 0o600, flag: 'wx' })
    log.info({ to, subject, file, text }, 'mail.written-to-file')
  }
}

// ASCII "atoms" of RFC 5322 and letters of any script. Quoted local parts are legal, but not in use.
const LOCAL_PART = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Accepts hosts without a dot (`admin@localhost`), but neither comments nor names. */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && LOCAL_PART.test(local) && domain.split('.').every((label) => LABEL.test(label))
}
