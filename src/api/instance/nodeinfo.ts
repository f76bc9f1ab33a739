// GET /.well-known/nodeinfo, GET /nodeinfo/2.0: software and usage, for statistics of the network.
import Type, { type Static } from 'typebox'
import { getSettings, memoized } from '../../domain/server/settings.ts'
import { readStats } from '../../domain/server/stats.ts'
import { route } from '../../http/route.ts'
import { JsonDocument } from '../../lib/json.ts'
import { VERSION } from '../../lib/version.ts'

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/2.0'

export const getNodeInfoLinks = route({
  summary: 'The address of the NodeInfo document',
  auth: 'none',
  cacheable: true,
  returns: Type.Object(
    { links: Type.Array(Type.Object({ rel: Type.String(), href: Type.String() })) },
    { $id: 'NodeInfo_Discovery' },
  ),
  handle: async ({ ctx }) => ({ links: [{ rel: SCHEMA, href: `${ctx.config.baseUrl}/nodeinfo/2.0` }] }),
})

const closed = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0 })

/** http://nodeinfo.diaspora.software/ns/schema/2.0 */
const NodeInfo = Type.Object(
  {
    version: Type.Literal('2.0'),
    software: Type.Object({ name: Type.String({ pattern: '^[a-z0-9-]+$' }), version: Type.String() }, closed),
    protocols: Type.Array(Type.String(), { minItems: 1 }),
    services: Type.Object({ inbound: Type.Array(Type.String()), outbound: Type.Array(Type.String()) }, closed),
    openRegistrations: Type.Boolean(),
    usage: Type.Object(
      { users: Type.Object({ total: Count, activeMonth: Count, activeHalfyear: Count }, closed), localPosts: Count },
      closed,
    ),
    metadata: Type.Object({
      nodeName: Type.String(),
      nodeDescription: Type.String(),
      upstream: Type.Object({ name: Type.String() }),
      features: Type.Array(Type.String()),
      faspBaseUrl: Type.Optional(Type.String()),
    }),
  },
  { $id: 'NodeInfo', ...closed },
)

/** Cached: at most a minute old. */
const presentNodeInfo = memoized(30, async (ctx) => {
  const [settings, stats] = await Promise.all([getSettings(ctx), readStats(ctx)])
  return new JsonDocument<Static<typeof NodeInfo>>({
    version: '2.0',
    software: { name: 'rookery', version: VERSION },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: settings.registrations_mode !== 'none',
    usage: {
      users: { total: stats.users, activeMonth: stats.activeMonth, activeHalfyear: stats.activeHalfyear },
      localPosts: stats.statuses,
    },
    metadata: {
      nodeName: settings.site_title,
      nodeDescription: settings.site_short_description,
      // Client libraries that do not know this server treat it as Mastodon because of `upstream`.
      upstream: { name: 'mastodon' },
      // Pleroma's name for the client API, by which tools such as FediFetcher find it on servers they do not know.
      features: ['mastodon_api'],
      // By which an auxiliary service provider finds where to register.
      ...(ctx.config.fasp ? { faspBaseUrl: `${ctx.config.baseUrl}/api/fasp` } : {}),
    },
  })
})

export const getNodeInfo = route({
  summary: 'Software, size and openness of this server',
  auth: 'none',
  cacheable: true,
  // http://nodeinfo.diaspora.software/protocol.html; the value needs quotes (RFC 9110).
  profile: `${SCHEMA}#`,
  returns: NodeInfo,
  handle: ({ ctx }) => presentNodeInfo(ctx),
})
