// What other apps share with the web client, where its service worker does not take it: the worker may be older, or not allowed.
import type { FastifyInstance } from 'fastify'
import { textParam } from '../../html/form-page.ts'

export const SHARE_PATH = '/share'

/** Only texts get through, as an address. The composer says that files are missing. */
export function registerShare(app: FastifyInstance): void {
  app.post(SHARE_PATH, async (request, reply) => {
    const texts = ['title', 'text', 'url'].map((name) => [name, textParam(request.body, name)] as const)
    const filled = texts.filter(([, text]) => text !== '')
    const query = filled.length > 0 ? String(new URLSearchParams(filled.map((each) => [...each]))) : 'stored'
    return reply.redirect(`${SHARE_PATH}?${query}`, 303)
  })
}
