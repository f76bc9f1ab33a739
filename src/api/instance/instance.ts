// GET /api/v1/instance, /api/v2/instance: what this server is and what holds on it.
import { Instance, presentInstance, presentV1Instance, V1Instance } from '../../entities/instance.ts'
import { route } from '../../http/route.ts'

export const instanceV1 = route({
  summary: 'The server, as old clients ask for it',
  auth: 'public',
  alwaysOpen: true,
  deprecated: 1_668_384_000,
  cacheable: true,
  returns: V1Instance,
  handle: ({ ctx }) => presentV1Instance(ctx),
})

export const instanceV2 = route({
  summary: 'The server: its name, its limits, its rules, whom to turn to',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: Instance,
  handle: ({ ctx }) => presentInstance(ctx),
})
