type Call<In, Out> = { input: In; resolve(output: Out): void; reject(error: unknown): void }

/**
 * Gathers single calls into batches of at most `max`: calls that arrive while a batch is on its way share the next one, so that
 * nothing waits while there is little to do. `run` returns the outputs in the order of its inputs. When a batch fails, each of its
 * calls runs again alone, so that one bad input fails no others.
 */
export function batched<In, Out>(run: (inputs: In[]) => Promise<Out[]>, max: number): (input: In) => Promise<Out> {
  const waiting: Call<In, Out>[] = []
  let running = false
  const settle = async (calls: Call<In, Out>[]): Promise<void> => {
    try {
      const outputs = await run(calls.map(({ input }) => input))
      for (const [i, call] of calls.entries()) call.resolve(outputs[i] as Out)
    } catch (error) {
      if (calls.length > 1) await Promise.all(calls.map((call) => settle([call])))
      else calls[0]?.reject(error)
    }
  }
  const work = async (): Promise<void> => {
    while (waiting.length > 0) await settle(waiting.splice(0, max))
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
