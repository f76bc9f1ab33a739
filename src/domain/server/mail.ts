import { join } from 'node:path'
import { perServer, type Context } from '../../context.ts'
import { Invalid } from '../../lib/errors.ts'
import type { SealedMail } from '../../jobs/kinds.ts'
import { createMailer, type Mail } from '../../lib/mail.ts'
import { getSecrets, seal, unseal } from './secrets.ts'

const mailer = perServer(({ config, log }) =>
  createMailer({ smtp: config.smtp, mailDir: join(config.dataDir, 'mail'), log }),
)

/** Has a mail sent, in the transaction of `tx`. Jobs stay readable for a while, so the text goes there sealed. */
export async function enqueueMail(tx: Context, { to, subject, text }: Mail): Promise<void> {
  const { tokenKey } = await getSecrets(tx)
  await tx.enqueue('mail.send', { to, subject, sealed: seal(tokenKey, text).toString('base64') })
}

/** Hands a mail over: the job `mail.send`. Throws when the mail server does not take it, so that it is tried again. */
export async function sendMail(ctx: Context, job: Mail | SealedMail): Promise<void> {
  const { to, subject } = job
  const { tokenKey } = await getSecrets(ctx)
  const mail = 'sealed' in job ? { to, subject, text: unseal(tokenKey, Buffer.from(job.sealed, 'base64')) } : job
  try {
    await mailer(ctx).send(mail)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // No later try would make an address of it.
    ctx.log.warn({ subject: mail.subject }, 'mail.dropped')
  }
}
