// Routes of pages for signed-in users: session, redirect to the sign-in page, and the CSRF check of forms.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { checkForm } from './csrf.ts'
import type { FormVisit } from './form-page.ts'
import { currentSession } from './session.ts'

export type SignedInVisit = FormVisit & { session: Session }

type Handler = (visit: SignedInVisit) => Promise<FastifyReply>

/** Without a session, redirects to the sign-in page, which leads back to `path`. */
export function onGet(app: FastifyInstance, ctx: Context, path: string, show: Handler): void {
  app.get(path, async (request, reply) => {
    const session = await currentSession(ctx, request)
    if (!session) return reply.redirect(signInLink(request.url))
    return show({ ctx, request, reply, session })
  })
}

export type FormRoute = {
  back: string
  files?: boolean
  /** Throws unless the user may send the form. Runs before any byte of a file is stored. */
  allow?: (session: Session) => Promise<void>
  /** `['POST']` unless given. */
  methods?: ('POST' | 'DELETE')[]
}

/** Checks the session and the CSRF token before `save`. */
export function onPost(
  app: FastifyInstance,
  ctx: Context,
  path: string,
  { back, files = false, allow, methods = ['POST'] }: FormRoute,
  save: Handler,
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const session = await currentSession(ctx, request)
    if (!session) return reply.redirect(signInLink(back), 303)
    await allow?.(session)
    return undefined
  }
  app.route({
    method: methods,
    url: path,
    config: { files } as object,
    // Refuses before any byte of a file is stored.
    onRequest: refuse,
    async handler(request, reply) {
      const session = await currentSession(ctx, request)
      if (!session) return reply.redirect(signInLink(back), 303)
      await checkForm(ctx, request)
      return save({ ctx, request, reply, session })
    },
  })
}

const signInLink = (next: string): string => `/auth/sign_in?next=${encodeURIComponent(next)}`
