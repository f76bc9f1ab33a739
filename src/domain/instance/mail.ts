import { join } from 'node:path'
import { perServer, type Context } from '../../context.ts'
import { Invalid } from '../../lib/errors.ts'
import { createMailer, type Mail } from '../../lib/mail.ts'

const mailer = perServer(({ config, log }) =>
  createMailer({ smtp: config.smtp, mailDir: join(config.dataDir, 'mail'), log }),
)

/** Hands a mail over: the job `mail.send`. Throws when the mail server does not take it, so that it is tried again. */
export async function sendMail(ctx: Context, mail: Mail): Promise<void> {
  try {
    await mailer(ctx).send(mail)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // No later try would make an address of it.
    ctx.log.warn({ subject: mail.subject }, 'a mail was dropped: its address is none')
  }
}
