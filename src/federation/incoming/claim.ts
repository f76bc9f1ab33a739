import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { siteOf } from '../../domain/peers/budgets.ts'
import { addressKey, limitFailures, limitUse } from '../../http/ratelimit.ts'
import { NotFound } from '../../lib/errors.ts'
import { localActor } from '../documents/actor.ts'
import { claimedKeyDocument } from '../documents/devices.ts'
import { bodyBytesOf, notFederated, requireSigner, takeBodiesAsBytes } from '../signer.ts'

/** In bytes. The body has no meaning, but the signature covers it. */
const MAX_BODY = 16 * 1024

/**
 * POST /users/:username/claim?id=DEVICE hands out a one-time key of a device to the account that signed the request. 401: a
 * missing or invalid signature. 403: a blocked server, or a suspended account. 404: no such device, no key left, or a block
 * between the accounts. 429: too many claims, which would use up the keys of the account.
 */
export function registerClaim(
  app: FastifyInstance,
  ctx: Context,
  send: (reply: FastifyReply, document: unknown) => FastifyReply,
): void {
  void app.register(async (scope) => {
    takeBodiesAsBytes(scope, '*', MAX_BODY)
    scope.post('/users/:username/claim', async (request, reply) => {
      const { username } = request.params as { username: string }
      const { id } = request.query as { id?: unknown }
      const account = await localActor(ctx, username)
      const { key: signer } = await limitFailures(ctx, 'signatures', addressKey(request.ip), () =>
        requireSigner(ctx, request, bodyBytesOf(request)),
      )
      if (signer.suspended) throw notFederated()
      if (typeof id !== 'string') throw new NotFound()
      await limitUse(ctx, 'key-claims', `${signer.accountId} ${account.id}`)
      await limitUse(ctx, 'key-claims-of-server', `${siteOf(new URL(signer.uri).hostname)} ${account.id}`)
      return send(reply, await claimedKeyDocument(ctx, signer.accountId, account, id))
    })
  })
}
