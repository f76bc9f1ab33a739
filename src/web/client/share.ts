// What other apps share with the web client, where its service worker does not take it: the worker may be older, or not allowed.
import type { FastifyInstance } from 'fastify'
import { textParam } from '../../html/form-page.ts'

export const SHARE_PATH = '/share'

/** Only texts get through, as an address. The composer says that files are missing. */
export function registerShare(app: FastifyInstance): void {
  app.post(SHARE_PATH, async (request, reply) => {
    const texts = new URLSearchParams()
    for (const name of ['title', 'text', 'url']) {
      const text = textParam(request.body, name)
      if (text !== '') texts.set(name, text)
    }
    return reply.redirect(`${SHARE_PATH}?${texts.size > 0 ? texts : 'stored'}`, 303)
  })
}
