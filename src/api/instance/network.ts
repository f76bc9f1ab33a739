import { domainToASCII } from 'node:url'
import { listShownDomainBlocks } from '../../domain/peers/domain-policy.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { listPeers, listPeersBySize, readActivity } from '../../domain/server/stats.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import Type from 'typebox'

export const getPeers = route({
  summary: 'Domains of known servers',
  auth: 'public',
  cacheable: true,
  returns: Type.Array(Type.String()),
  async handle({ ctx }) {
    if (!(await getSettings(ctx)).peers_api_enabled) throw new NotFound()
    return listPeers(ctx)
  },
})

const ActivityWeek = Type.Object(
  { week: Type.String(), statuses: Type.String(), logins: Type.String(), registrations: Type.String() },
  { $id: 'ActivityWeek' },
)

export const getActivity = route({
  summary: 'Statuses, active users and sign-ups of the last twelve weeks, the newest week first',
  auth: 'public',
  cacheable: true,
  returns: Type.Array(ActivityWeek),
  async handle({ ctx }) {
    if (!(await getSettings(ctx)).activity_api_enabled) throw new NotFound()
    return (await readActivity(ctx)).map((week) => ({
      week: String(week.start.getTime() / 1000),
      statuses: String(week.statuses),
      logins: String(week.logins),
      registrations: String(week.registrations),
    }))
  },
})

const DomainBlock = Type.Object(
  { domain: Type.String(), digest: Type.String(), severity: Type.String(), comment: Type.Optional(Type.String()) },
  { $id: 'DomainBlock' },
)

export const getInstanceDomainBlocks = route({
  summary: 'Blocked and limited servers, if the server publishes them',
  auth: 'public',
  cacheable: true,
  returns: Type.Array(DomainBlock),
  handle: ({ ctx, viewer }) => listShownDomainBlocks(ctx, viewer !== null),
})

const MAX_RESULTS = 10

export const searchPeers = route({
  summary: 'Known servers whose domain begins with a text, those with the most accounts first',
  auth: 'public',
  params: { q: Type.Optional(Type.String()) },
  returns: Type.Array(Type.String()),
  async handle({ ctx, params }) {
    if (ctx.config.limitedFederation || !(await getSettings(ctx)).peers_api_enabled) throw new NotFound()
    const typed = params.q?.trim().toLowerCase() ?? ''
    if (typed === '') return []
    const prefix = domainToASCII(typed) || typed
    return (await listPeersBySize(ctx)).filter((domain) => domain.startsWith(prefix)).slice(0, MAX_RESULTS)
  },
})
