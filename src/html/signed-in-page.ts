// Routes of pages for signed-in users: session, redirect to the sign-in page, and the CSRF check of forms.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { checkForm } from './csrf.ts'
import type { FormVisit } from './form-page.ts'
import { restrictedSession, TWO_FACTOR_PATH } from './session.ts'

export type SignedInVisit = FormVisit & { session: Session }

type Handler = (visit: SignedInVisit) => Promise<FastifyReply>

/** `evenMissing2fa`: also for users without the second factor that their role requires. */
type Admission = { evenMissing2fa?: boolean }

/** The session of a user who may see the page; for others, the address of the page where they can change that. */
async function admit(
  ctx: Context,
  request: FastifyRequest,
  back: string,
  { evenMissing2fa = false }: Admission,
): Promise<Session | string> {
  const session = await restrictedSession(ctx, request)
  if (session?.state === 'usable' || (evenMissing2fa && session?.state === 'missing_2fa')) return session
  return session?.state === 'missing_2fa' ? TWO_FACTOR_PATH : signInLink(back)
}

/** Without a session, redirects to the sign-in page, which leads back to `path`. */
export function onGet(
  app: FastifyInstance,
  ctx: Context,
  path: string,
  show: Handler,
  admission: Admission = {},
): void {
  app.get(path, async (request, reply) => {
    const session = await admit(ctx, request, request.url, admission)
    return typeof session === 'string' ? reply.redirect(session) : show({ ctx, request, reply, session })
  })
}

export type FormRoute = Admission & {
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
  { back, files = false, allow, methods = ['POST'], ...admission }: FormRoute,
  save: Handler,
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const session = await admit(ctx, request, back, admission)
    if (typeof session === 'string') return reply.redirect(session, 303)
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
      const session = await admit(ctx, request, back, admission)
      if (typeof session === 'string') return reply.redirect(session, 303)
      await checkForm(ctx, request)
      return save({ ctx, request, reply, session })
    },
  })
}

const signInLink = (next: string): string => `/auth/sign_in?next=${encodeURIComponent(next)}`
