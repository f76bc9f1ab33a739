import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { OutcomeUnknown } from './errors.ts'

type Call<In, Out> = { input: In; resolve(output: Out): void; reject(error: unknown): void }

/** A batch that takes longer, as a row is locked, does not hold up the next one. */
const SLOW_MS = 250
/** After a batch of several calls ended, and for how long more are expected. */
const RECENT_MS = 20
const GATHER_MS = 4

/**
 * Gathers single calls into batches of at most `max`: calls that arrive while a batch is on its way share the next one, so that
 * nothing waits while there is little to do. `run` returns the outputs in the order of its inputs. When a batch fails, each of
 * its calls runs again alone, so that one bad input fails no others, unless the batch may have succeeded. `gather`: a batch also
 * waits for a moment if calls have just shared one, for work that costs much less together.
 */
export function batched<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  max: number,
  { gather = false } = {},
): (input: In) => Promise<Out> {
  const waiting: Call<In, Out>[] = []
  let running = false
  let sharedUntil = 0
  const settle = async (calls: Call<In, Out>[]): Promise<void> => {
    try {
      const outputs = await run(calls.map(({ input }) => input))
      for (const [i, call] of calls.entries()) call.resolve(outputs[i] as Out)
    } catch (error) {
      const repeats = calls.length > 1 && !(error instanceof OutcomeUnknown)
      if (repeats) await Promise.all(calls.map((call) => settle([call])))
      else for (const call of calls) call.reject(error)
    }
  }
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (gather && waiting.length < max && Date.now() < sharedUntil) await delay(GATHER_MS)
      const calls = waiting.splice(0, max)
      await untilSlow(settle(calls))
      if (calls.length + waiting.length > 1) sharedUntil = Date.now() + RECENT_MS
    }
    running = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (running) return
      running = true
      // Calls of the same turn of the event loop share the first batch.
      setImmediate(work)
    })
}

/**
 * Gathers calls that are made together about one thing, such as a transaction, and runs them once; calls that arrive meanwhile
 * share the next run. `run` returns the outputs in the order of its inputs. When it fails, all of its calls fail.
 */
export function batchedFor<On extends object, In, Out>(
  run: (on: On, inputs: In[]) => Promise<Out[]>,
): (on: On, input: In) => Promise<Out> {
  type Batch = { inputs: In[]; outputs: Promise<Out[]> }
  const open = new WeakMap<On, Batch>()
  const running = new WeakMap<On, Promise<unknown>>()
  const start = async (on: On, inputs: In[]): Promise<Out[]> => {
    // Tasks that run together do not all make this call in the same turn of the event loop.
    await Promise.allSettled([nextTurn(), running.get(on)])
    open.delete(on)
    const outputs = run(on, inputs)
    running.set(on, outputs)
    return outputs
  }
  return async (on, input) => {
    let calls = open.get(on)
    if (!calls) {
      const inputs: In[] = []
      open.set(on, (calls = { inputs, outputs: start(on, inputs) }))
    }
    const place = calls.inputs.push(input) - 1
    return (await calls.outputs)[place] as Out
  }
}

async function untilSlow(work: Promise<void>): Promise<void> {
  const { promise: slow, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, SLOW_MS)
  await Promise.race([work, slow])
  clearTimeout(timer)
}
