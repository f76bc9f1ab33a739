import { setTimeout as delay } from 'node:timers/promises'
import { residentMemory } from '../lib/cpu.ts'
import { temporaryFolder } from '../lib/folders.ts'
import { median } from '../lib/numbers.ts'
import type { Row } from '../lib/row.ts'
import { freePort, memoryAfterLoad, settle, startBenchServer } from '../lib/server.ts'

const STARTS = 3
/** Milliseconds before the memory of the idle server is measured after a start. */
const REST = 5000

/** The first start creates the database, which is not measured. Memory is in MB, without PostgreSQL. */
async function measureStarts(): Promise<{ startedIn: number; memory: number }> {
  const dataDir = temporaryFolder()
  const port = await freePort()
  const times: number[] = []
  let memory = 0
  for (let start = 0; start <= STARTS; start++) {
    const server = await startBenchServer(dataDir, port)
    if (start > 0) times.push(server.startedIn)
    // Signals stop a server in order once its start is complete; otherwise the next start would recover the database.
    await settle(server.pid)
    if (start === STARTS) {
      await delay(REST)
      memory = residentMemory(server.pid)
    }
    await server.stop()
  }
  return { startedIn: median(times), memory }
}

export const start: Row[] = [
  {
    name: 'start',
    title: 'start to first response, with PostgreSQL',
    unit: 'ms',
    target: 1100,
    measure: async (bench) => ({ value: (await bench.shared(measureStarts)).startedIn }),
  },
  {
    name: 'memory_rest',
    title: 'memory at rest, without PostgreSQL',
    unit: 'MB',
    target: 150,
    measure: async (bench) => ({ value: (await bench.shared(measureStarts)).memory }),
  },
]

/** After all rows that use the same server. */
export const memoryAfter: Row = {
  name: 'memory_after',
  title: 'memory ten seconds after all this load, without PostgreSQL',
  unit: 'MB',
  target: 300,
  async measure(bench) {
    const { pid } = (await bench.world()).server
    return { value: await memoryAfterLoad(pid) }
  },
}
