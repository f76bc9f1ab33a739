import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkSignUpAllowed } from '../actions/auth/sign-up.ts'
import type { Context } from '../context.ts'
import { findUsableInvite } from '../domain/registration/invites.ts'
import { getSettings } from '../domain/server/settings.ts'
import { Unauthorized } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { isActivityRequest } from '../net/content-types.ts'

/** `GET /invite/:code`: for browsers the sign-up page; for apps that ask for JSON, a document that names the server. */
export function registerInvite(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { code: string } }>('/invite/:code', async (request, reply) => {
    const { code } = request.params
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept' })
    if (!isActivityRequest(request.headers.accept))
      return reply.redirect(`/auth/sign_up?${new URLSearchParams({ invite_code: code })}`)
    return sendDocument(ctx, request, reply, code)
  })
}

async function sendDocument(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
): Promise<FastifyReply> {
  const invite = await findUsableInvite(ctx, code)
  if (!invite) throw new Unauthorized(message('invite_invalid'))
  await checkSignUpAllowed(ctx, await getSettings(ctx), request.ip, invite)
  return reply
    .type('application/json; charset=utf-8')
    .send({ invite_code: code, instance_api_url: `${ctx.config.baseUrl}/api/v2/instance` })
}
