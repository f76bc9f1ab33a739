import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Answer, Target } from './http.ts'

export type BareServer = {
  target: Target
  pid: number
  /** From now on it returns this response to every request. */
  answerWith(answer: Answer): Promise<void>
  stop(): void
}

/** node:http sets these itself. */
const OWN_HEADERS = new Set(['content-length', 'date', 'connection', 'keep-alive'])

export async function startBareServer(): Promise<BareServer> {
  const child = fork(join(import.meta.dirname, 'bare.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    target: { port, host: `localhost:${port}` },
    pid: child.pid as number,
    async answerWith({ status, head, body }) {
      const lines = head.split('\r\n').slice(1)
      const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      const sent = Object.fromEntries(headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())))
      child.send({ status, headers: sent, body: body.toString('base64') })
      await once(child, 'message')
    },
    stop: () => void child.kill(),
  }
}
