import type { Row } from '../lib/row.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

/** In the order in which they are measured: rows that write much come last. */
export const rows: Row[] = [...reads, ...writes]
