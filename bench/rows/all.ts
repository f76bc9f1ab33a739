import type { Row } from '../lib/row.ts'
import { fanOut } from './fan-out.ts'
import { followers } from './followers.ts'
import { inbox } from './inbox.ts'
import { reads } from './reads.ts'
import { memoryAfter, start } from './start.ts'
import { streaming } from './streaming.ts'
import { writes } from './writes.ts'

/** In the order in which they are measured: rows that write much come last. */
export const rows: Row[] = [...start, ...reads, ...writes, fanOut, ...streaming, ...inbox, memoryAfter, ...followers]
