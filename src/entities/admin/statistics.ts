import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import { LANGUAGES } from '../../domain/server/languages.ts'
import type { DimensionKey, DimensionRow } from '../../domain/statistics/dimensions.ts'
import type { Measure } from '../../domain/statistics/measures.ts'
import type { Frequency, RetentionCohort } from '../../domain/statistics/retention.ts'
import { DateTime, nullable } from '../schema.ts'

/** https://docs.joinmastodon.org/entities/Admin_Measure/ */
export const AdminMeasure = Type.Object(
  {
    key: Type.String(),
    unit: nullable(Type.String()),
    total: Type.String(),
    human_value: Type.Optional(Type.String()),
    previous_total: Type.Optional(Type.String()),
    data: Type.Array(Type.Object({ date: DateTime, value: Type.String() })),
  },
  { $id: 'Admin_Measure' },
)
export type AdminMeasure = Static<typeof AdminMeasure>

export const presentMeasure = ({ key, unit, total, previousTotal, data }: Measure): AdminMeasure => ({
  key,
  unit,
  total: String(total),
  ...(unit === 'bytes' ? { human_value: bytesText(total) } : {}),
  ...(previousTotal === null ? {} : { previous_total: String(previousTotal) }),
  data: data.map(({ date, value }) => ({ date: date.toISOString(), value: String(value) })),
})

/** https://docs.joinmastodon.org/entities/Admin_Dimension/ */
export const AdminDimension = Type.Object(
  {
    key: Type.String(),
    data: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          human_key: Type.String(),
          value: Type.String(),
          unit: Type.Optional(Type.String()),
          human_value: Type.Optional(Type.String()),
        },
        { $id: 'Admin_Dimension_Data' },
      ),
    ),
  },
  { $id: 'Admin_Dimension' },
)
export type AdminDimension = Static<typeof AdminDimension>

const NAMES: Readonly<Record<string, string>> = {
  rookery: 'Rookery',
  mastodon: 'Mastodon API',
  node: 'Node.js',
  postgresql: 'PostgreSQL',
  media: 'Media storage',
  media_cache: 'Copies of remote media',
}

function humanValue(key: DimensionKey, { unit, value }: DimensionRow): string | null {
  if (unit === 'bytes') return bytesText(Number(value))
  return key === 'software_versions' ? value : null
}

export function presentDimension(ctx: Context, key: DimensionKey, rows: readonly DimensionRow[]): AdminDimension {
  const data = rows.map((row) => {
    const name = keyOf(ctx, key, row.key)
    const human = humanValue(key, row)
    return {
      key: name,
      human_key: nameOf(key, name),
      value: row.value,
      ...(row.unit ? { unit: row.unit } : {}),
      ...(human === null ? {} : { human_value: human }),
    }
  })
  return { key, data }
}

/** This server and its website have an empty key. */
function keyOf(ctx: Context, dimension: DimensionKey, key: string): string {
  if (key !== '') return key
  return dimension === 'sources' ? 'web' : ctx.config.localDomain
}

function nameOf(dimension: DimensionKey, key: string): string {
  if (dimension === 'languages' || dimension === 'tag_languages' || dimension === 'instance_languages')
    return LANGUAGES.find(({ code }) => code === key)?.name ?? (key === 'und' ? 'Unknown' : key)
  if (dimension === 'sources' && key === 'web') return 'Website'
  return NAMES[key] ?? key
}

/** https://docs.joinmastodon.org/entities/Admin_Cohort/ */
export const AdminCohort = Type.Object(
  {
    period: DateTime,
    frequency: Type.Union([Type.Literal('day'), Type.Literal('month')]),
    data: Type.Array(Type.Object({ date: DateTime, rate: Type.Number(), value: Type.String() }, { $id: 'CohortData' })),
  },
  { $id: 'Admin_Cohort' },
)
export type AdminCohort = Static<typeof AdminCohort>

export const presentCohort = (frequency: Frequency, { period, data }: RetentionCohort): AdminCohort => ({
  period: period.toISOString(),
  frequency,
  data: data.map(({ date, rate, value }) => ({ date: date.toISOString(), rate, value: String(value) })),
})

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB']

/** `12.3 MB`, as Mastodon writes it. */
function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** step).toPrecision(3))} ${UNITS[step]}`
}
