import { join } from 'node:path'
import { perServer, type Context } from '../../context.ts'
import { writeMail, type MailKind, type MailParams } from '../../domain/auth/mails.ts'
import { lockEmailAndName } from '../../domain/auth/sign-in.ts'
import { withoutPort } from '../../domain/server/addresses.ts'
import { getSecrets, seal, unseal } from '../../domain/server/secrets.ts'
import type { JobData, JobRun } from '../../jobs/kinds.ts'
import { Invalid } from '../../lib/errors.ts'
import { createMailer, type Mail } from '../../lib/mail.ts'

const mailer = perServer(({ config, log }) =>
  createMailer({ smtp: config.smtp, mailDir: join(config.dataDir, 'mail'), log }),
)

/** Call it in the transaction of the change. */
export const enqueueMail = (tx: Context, mail: Mail): Promise<void> => enqueueMails(tx, [mail])

/** To the user's address at the moment, which does not change until the transaction ends. In the user's language. */
export async function mailUser<Kind extends MailKind>(
  tx: Context,
  userId: string,
  kind: Kind,
  about: Omit<MailParams<Kind>, 'username'>,
): Promise<void> {
  const { email, username } = await lockEmailAndName(tx, userId)
  const params = { ...about, username } as MailParams<Kind> & { username: string }
  await enqueueMail(tx, await writeMail(tx, email, kind, params))
}

/** As `enqueueMail`, for many, in one statement. */
export async function enqueueMails(tx: Context, mails: readonly Mail[]): Promise<void> {
  const { tokenKey } = await getSecrets(tx)
  const sealed = (text: string): string => seal(tokenKey, text).toString('base64')
  const jobs = mails.map(({ to, subject, text, unsubscribe }) => ({
    to,
    subject,
    sealed: sealed(text),
    ...(unsubscribe !== undefined && { unsubscribe: sealed(unsubscribe) }),
  }))
  await tx.enqueueMany('mail.send', jobs)
}

/**
 * Job `mail.send`. Throws when the mail server does not accept the mail, so that the job is retried. A mail that is sent again
 * after a crash has the same Message-ID, by which mail servers and programs recognise it.
 */
export async function sendMail(
  ctx: Context,
  { to, subject, sealed, unsubscribe }: JobData['mail.send'],
  { jobId }: JobRun,
): Promise<void> {
  const { tokenKey } = await getSecrets(ctx)
  const opened = (text: string): string => unseal(tokenKey, Buffer.from(text, 'base64'))
  const mail = {
    id: messageId(ctx, jobId),
    to,
    subject,
    text: opened(sealed),
    ...(unsubscribe !== undefined && { unsubscribe: opened(unsubscribe) }),
  }
  try {
    await mailer(ctx).send(mail)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // A retry would not make the address valid.
    ctx.log.warn({ subject }, 'mail.dropped')
  }
}

/** Sends a mail that the job itself has written. Throws RecipientRefused, and Unavailable so that the job is retried. */
export const sendWrittenMail = (ctx: Context, mail: Mail, jobId: string): Promise<void> =>
  mailer(ctx).send({ ...mail, id: messageId(ctx, jobId) })

const messageId = (ctx: Context, jobId: string): string => `<${jobId}@${withoutPort(ctx.config.localDomain)}>`
