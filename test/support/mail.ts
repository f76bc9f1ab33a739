import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, type TestServer } from './server.ts'

/** `id`: the Message-ID. `unsubscribe`: the header List-Unsubscribe, and that of its POST. */
export type WrittenMail = { id: string; to: string; subject: string; text: string; unsubscribe: [string, string] }

/** Only a server without SMTP writes mails to files. Oldest first. */
export async function mailsIn(dataDir: string): Promise<WrittenMail[]> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')))
  const header = (mail: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(mail)?.[1] ?? ''
  return mails.map((mail) => ({
    id: header(mail, 'Message-ID'),
    to: header(mail, 'To'),
    subject: header(mail, 'Subject'),
    unsubscribe: [header(mail, 'List-Unsubscribe'), header(mail, 'List-Unsubscribe-Post')],
    text: mail.slice(mail.indexOf('\n\n') + 2),
  }))
}

/** Waits until the queue is empty. Oldest first. */
export async function mailsTo(server: TestServer, address: string): Promise<WrittenMail[]> {
  await server.drain()
  return (await mailsIn(server.ctx.config.dataDir)).filter(({ to }) => to === address)
}

/** The path in the newest mail. Waits for it: some mails are queued after the response, to hide who has an account. */
export async function linkTo(server: TestServer, address: string): Promise<string> {
  const pattern = new RegExp(`^${server.ctx.config.baseUrl}(/auth/\\S+)$`, 'm')
  return eventually(async () => pattern.exec((await mailsTo(server, address)).at(-1)?.text ?? '')?.[1])
}
