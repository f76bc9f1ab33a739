import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from './request-body.ts'

export type Served = { status?: number; type?: string; headers?: Record<string, string>; body: string | Buffer }
type Answer = Served | ((request: { headers: Record<string, unknown>; body: string }) => Served | Promise<Served>)

/** A website outside the fediverse: serves the pages, images and APIs that a test defines. */
export type Site = {
  url: string
  domain: string
  /** As `GET /path`. */
  requests: string[]
  serve(path: string, answer: Answer): string
  stop(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  const server = createServer((req, res) => {
    void (async () => {
      const body = await readBody(req)
      if (!body) return
      requests.push(`${req.method} ${req.url}`)
      const found = answers.get(req.url ?? '')
      const answer = typeof found === 'function' ? await found({ headers: req.headers, body: body.toString() }) : found
      const type = answer?.type ?? 'text/html; charset=utf-8'
      res
        .writeHead(answer ? (answer.status ?? 200) : 404, { 'content-type': type, ...answer?.headers })
        .end(answer?.body ?? '')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domain = `localhost:${(server.address() as AddressInfo).port}`
  const url = `http://${domain}`
  return {
    url,
    domain,
    requests,
    serve(path, answer) {
      answers.set(path, answer)
      return `${url}${path}`
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
