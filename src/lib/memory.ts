import v8 from 'node:v8'
import vm from 'node:vm'

/**
 * Garbage in percent of the memory in use, from which it is collected. V8 itself allows up to 300, so that a burst of work made
 * the heap three times as large. Collecting more often costs CPU, which was not measured on a quiet machine
 * (docs/performance.md).
 */
const MAX_GARBAGE = 50

/** Milliseconds between two looks, and the share of a processor below which the time between them was idle. */
const INTERVAL = 2000
const IDLE_SHARE = 0.03
/** In bytes: a collection stops everything else for a moment, so it must be worth it. */
const WORTHWHILE = 24 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' | 'regular' }) => void

/**
 * Limits the garbage of a busy process, and returns memory to the system after the start and after bursts of load, once the
 * process is idle. V8 collects garbage when memory is allocated, so the heap of an idle process keeps its size.
 */
export function limitMemory(): void {
  v8.setFlagsFromString(`--heap-growing-percent=${MAX_GARBAGE}`)
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as Collect
  let [cpu, size] = [process.cpuUsage(), 0]
  setInterval(() => {
    const { user, system } = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    const isIdle = (user + system) / 1000 < INTERVAL * IDLE_SHARE
    if (!isIdle || v8.getHeapStatistics().total_heap_size - size < WORTHWHILE) return
    // After the start, most of what can be freed is compiled code that is not used any more. To find it takes
    // several collections.
    collect({ type: 'major', execution: 'sync', flavor: size === 0 ? 'last-resort' : 'regular' })
    size = v8.getHeapStatistics().total_heap_size
    cpu = process.cpuUsage()
  }, INTERVAL).unref()
}
