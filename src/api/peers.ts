// GET /api/v1/peers/search: servers that are known here, by the beginning of their domain.
import { domainToASCII } from 'node:url'
import Type from 'typebox'
import { getSettings } from '../domain/server/settings.ts'
import { listPeersBySize } from '../domain/server/stats.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

const MOST = 10

export const searchPeers = route({
  summary: 'Domains of known servers that begin so, those with the most people first',
  auth: 'public',
  params: { q: Type.String() },
  returns: Type.Array(Type.String()),
  async handle({ ctx, params }) {
    if (ctx.config.limitedFederation || !(await getSettings(ctx)).peers_api_enabled) throw new NotFound()
    const typed = params.q.trim().toLowerCase()
    const beginning = domainToASCII(typed) || typed
    return (await listPeersBySize(ctx)).filter((domain) => domain.startsWith(beginning)).slice(0, MOST)
  },
})
