import { join } from 'node:path'
import { perServer, type Context } from '../../context.ts'
import { getSecrets, seal, unseal } from '../../domain/server/secrets.ts'
import type { SealedMail } from '../../jobs/kinds.ts'
import { Invalid } from '../../lib/errors.ts'
import { createMailer, type Mail } from '../../lib/mail.ts'

const mailer = perServer(({ config, log }) =>
  createMailer({ smtp: config.smtp, mailDir: join(config.dataDir, 'mail'), log }),
)

/** Call it in the transaction of the change. The text is sealed, as finished jobs stay readable for an hour. */
export async function enqueueMail(tx: Context, { to, subject, text }: Mail): Promise<void> {
  const { tokenKey } = await getSecrets(tx)
  await tx.enqueue('mail.send', { to, subject, sealed: seal(tokenKey, text).toString('base64') })
}

/** As `enqueueMail`, for many, in one statement. */
export async function enqueueMails(tx: Context, mails: readonly Mail[]): Promise<void> {
  const { tokenKey } = await getSecrets(tx)
  const jobs = mails.map(({ to, subject, text }) => ({ to, subject, sealed: seal(tokenKey, text).toString('base64') }))
  await tx.enqueueMany('mail.send', jobs)
}

/** Job `mail.send`. Throws when the mail server does not accept the mail, so that the job is retried. */
export async function sendMail(ctx: Context, job: Mail | SealedMail): Promise<void> {
  const { to, subject } = job
  const { tokenKey } = await getSecrets(ctx)
  const mail = 'sealed' in job ? { to, subject, text: unseal(tokenKey, Buffer.from(job.sealed, 'base64')) } : job
  try {
    await mailer(ctx).send(mail)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // A retry would not make the address valid.
    ctx.log.warn({ subject: mail.subject }, 'mail.dropped')
  }
}
