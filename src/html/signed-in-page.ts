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

/** `redirectTo`: the page on which those who may not see this one can change that. */
type Admitted = { session: Session } | { redirectTo: string }

async function admit(
  ctx: Context,
  request: FastifyRequest,
  back: string,
  { evenMissing2fa = false }: Admission,
): Promise<Admitted> {
  const session = await restrictedSession(ctx, request)
  if (session?.state === 'usable' || (evenMissing2fa && session?.state === 'missing_2fa')) return { session }
  return { redirectTo: session?.state === 'missing_2fa' ? TWO_FACTOR_PATH : signInPath(back) }
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
    const admitted = await admit(ctx, request, request.url, admission)
    if ('redirectTo' in admitted) return reply.redirect(admitted.redirectTo)
    return show({ ctx, request, reply, session: admitted.session })
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
    const admitted = await admit(ctx, request, back, admission)
    if ('redirectTo' in admitted) return reply.redirect(admitted.redirectTo, 303)
    await allow?.(admitted.session)
    return undefined
  }
  app.route({
    method: methods,
    url: path,
    config: { files } as object,
    // Refuses before any byte of a file is stored.
    onRequest: refuse,
    async handler(request, reply) {
      const admitted = await admit(ctx, request, back, admission)
      if ('redirectTo' in admitted) return reply.redirect(admitted.redirectTo, 303)
      await checkForm(ctx, request)
      return save({ ctx, request, reply, session: admitted.session })
    },
  })
}

/** The page for signing in, which then leads to the path `next`. */
export const signInPath = (next: string): string => `/auth/sign_in?next=${encodeURIComponent(next)}`
