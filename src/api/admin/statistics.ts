import Type, { type TSchema } from 'typebox'
import {
  DIMENSIONS,
  INSTANCE_DIMENSIONS,
  readDimension,
  TAG_DIMENSIONS,
  type DimensionKey,
} from '../../domain/statistics/dimensions.ts'
import {
  INSTANCE_MEASURES,
  MEASURES,
  readMeasuresInTurn,
  TAG_MEASURES,
  type MeasureKey,
} from '../../domain/statistics/measures.ts'
import { lastDays, parsePeriod, type Period } from '../../domain/statistics/period.ts'
import { MAX_RETENTION_DAYS, readRetention } from '../../domain/statistics/retention.ts'
import {
  AdminCohort,
  AdminDimension,
  AdminMeasure,
  presentCohort,
  presentDimension,
  presentMeasure,
} from '../../entities/admin/statistics.ts'
import { limitOf, limitParam } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { BadRequest } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'

const common = { scope: 'admin:read', permission: 'view_dashboard' } as const
const keys = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }))
const periodParams = { start_at: Type.Optional(Type.String()), end_at: Type.Optional(Type.String()) }

const DEFAULT_DAYS = 30

/** The last 30 days where no dates are given, as Mastodon requires none. */
function periodOf({ start_at: start, end_at: end }: { start_at?: string; end_at?: string }, max?: number): Period {
  const usual = lastDays(DEFAULT_DAYS)
  return parsePeriod(start ?? usual.first.toISOString(), end ?? usual.last.toISOString(), max)
}

const ofTag = Type.Optional(Type.Object({ id: Type.Optional(Type.String()) }))
const domain = Type.Optional(Type.String({ maxLength: 255 }))
const ofInstance = Type.Optional(Type.Object({ domain }))
const withSubdomains = Type.Optional(Type.Object({ domain, include_subdomains: Type.Optional(Type.Boolean()) }))
const paramsFor = (keysOf: readonly string[], param: TSchema) => Object.fromEntries(keysOf.map((key) => [key, param]))

type Param = { id?: string; domain?: string; include_subdomains?: boolean }
const given = (params: object, key: string): Param => (params as Record<string, Param | undefined>)[key] ?? {}

/** The id of the hashtag or the domain of the server that a key asks about. Throws BadRequest when it is missing. */
function paramOf(params: object, key: string): string {
  const { id, domain } = given(params, key)
  if (key.startsWith('tag_')) {
    if (id === undefined) throw new BadRequest(message('parameter_missing', { name: `${key}[id]` }))
    return isId(id) ? id : '0'
  }
  if (!key.startsWith('instance_')) return ''
  if (domain === undefined) throw new BadRequest(message('parameter_missing', { name: `${key}[domain]` }))
  return domain
}

const known = <Key extends string>(all: readonly Key[], asked: readonly string[] = []): Key[] => [
  ...new Set(asked.filter((key): key is Key => (all as readonly string[]).includes(key))),
]

export const readMeasures = route({
  ...common,
  summary: 'Figures over time; ignores unknown keys. Covers 30 days unless dates are given',
  params: {
    keys,
    ...periodParams,
    ...paramsFor(TAG_MEASURES, ofTag),
    ...paramsFor(INSTANCE_MEASURES, withSubdomains),
  },
  returns: Type.Array(AdminMeasure),
  async handle({ ctx, params }) {
    const period = periodOf(params)
    const asked = known<MeasureKey>(MEASURES, params.keys).map((key) => {
      const { include_subdomains: includeSubdomains = false } = given(params, key)
      return { key, param: paramOf(params, key), includeSubdomains }
    })
    return (await readMeasuresInTurn(ctx, period, asked)).map(presentMeasure)
  },
})

export const readDimensions = route({
  ...common,
  summary: 'The largest parts of something; ignores unknown keys. Covers 30 days unless dates are given',
  params: {
    keys,
    ...periodParams,
    ...limitParam,
    ...paramsFor(TAG_DIMENSIONS, ofTag),
    ...paramsFor(INSTANCE_DIMENSIONS, ofInstance),
  },
  returns: Type.Array(AdminDimension),
  async handle({ ctx, params }) {
    const period = periodOf(params)
    const limit = limitOf(params, 10, 100)
    const wanted = known<DimensionKey>(DIMENSIONS, params.keys).map((key) => [key, paramOf(params, key)] as const)
    const dimensions: AdminDimension[] = []
    for (const [key, param] of wanted)
      dimensions.push(presentDimension(ctx, key, await readDimension(ctx, key, { period, param, limit })))
    return dimensions
  },
})

export const readRetentionCohorts = route({
  ...common,
  summary:
    'How many of the users who signed up in each day or month were active later. Covers 30 days unless dates are given',
  params: {
    ...periodParams,
    frequency: Type.Optional(Type.Union([Type.Literal('day'), Type.Literal('month')])),
  },
  returns: Type.Array(AdminCohort),
  async handle({ ctx, params: { frequency = 'day', ...params } }) {
    const period = periodOf(params, MAX_RETENTION_DAYS[frequency])
    const cohorts = await readRetention(ctx, period, frequency)
    return cohorts.map((cohort) => presentCohort(frequency, cohort))
  },
})
