import type { Bench } from './bench.ts'

export type Unit = 'CPU s/1000' | 'ms' | 's' | 'per second' | 'MB' | 'times'

/** One row of the table. */
export type Row = {
  /** What `--only` takes. */
  name: string
  title: string
  unit: Unit
  /** Null: the figure is shown for information. */
  target: number | null
  /** The figure must reach the target; otherwise it must not exceed it. */
  atLeast?: true
  measure(bench: Bench): Promise<Measured>
}

export type Measured = {
  value: number
  /** CPU seconds per 1000 of the database alone. */
  database?: number
  /** The figure (CPU or time), compared with a server that only sends the bytes. */
  bareRatio?: number
  perSecond?: number
  /** Milliseconds. */
  p50?: number
  p99?: number
  errors?: number
}

export type Figure = Pick<Row, 'name' | 'title' | 'unit' | 'target' | 'atLeast'> & Measured & { measuredAt: string }

/** Null without a target. */
export function meetsTarget({ value, target, atLeast }: Figure): boolean | null {
  if (target === null) return null
  return atLeast ? value >= target : value <= target
}

export async function measureRow(row: Row, bench: Bench): Promise<Figure> {
  const { name, title, unit, target, atLeast } = row
  const measured = await row.measure(bench)
  if (!Number.isFinite(measured.value)) throw new Error(`${name}: no request succeeded.`)
  const kind = { name, title, unit, target, ...(atLeast ? { atLeast } : {}) }
  return { ...kind, ...measured, measuredAt: new Date().toISOString() }
}
