// The process that reads foreign films and sounds: started by run.ts for one order, ended by it when that takes too long.
import { setPriority } from 'node:os'
import { NOT_TAKEN, type Order, type Reply } from './protocol.ts'

const ERRORS = 16
/** No space, no file handles, no permission: not the file's fault, as too little memory is. FFmpeg has them negative. */
const OURS = new Set([-28, -24, -23, -13, -5])

// When the server ends, its end of the pipe closes.
process.stdin.on('end', () => process.exit(1)).resume()
setPriority(10)
const reply = await work(JSON.parse(process.argv[2] ?? '{}') as Order)
process.stdout.write(JSON.stringify(reply), () => process.exit(0))

async function work(order: Order): Promise<Reply> {
  try {
    const { Log } = await import('node-av/lib')
    Log.setLevel(ERRORS as never)
  } catch (error) {
    return { unavailable: String(error) }
  }
  if (order.task === 'ready') return { ready: await tryToRead(order.target) }
  try {
    if (order.task === 'measure') return { measured: await (await import('./inspect.ts')).measureFile(order) }
    if (order.task === 'image') {
      await (await import('./heic.ts')).decodeImage(order)
      return { decoded: true }
    }
    if (order.task === 'inspect') return { inspected: await (await import('./inspect.ts')).inspectFile(order) }
    return { converted: await (await import('./convert.ts')).convertFile(order) }
  } catch (error) {
    const { Refusal } = await import('./source.ts')
    if (error instanceof Refusal) return { refused: error.message }
    const { code } = error as { code?: unknown }
    if ((typeof code === 'number' && OURS.has(code)) || (error as NodeJS.ErrnoException).syscall)
      return { failed: String(error) }
    // For the log of the server.
    process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { refused: NOT_TAKEN }
  }
}

async function tryToRead(path: string): Promise<{ runtimeReads: boolean; libraryReads: boolean }> {
  const { readFile } = await import('node:fs/promises')
  const { Demuxer } = await import('node-av/api')
  const succeeds = (reading: Promise<unknown>): Promise<boolean> =>
    reading.then(
      () => true,
      () => false,
    )
  // The raw demuxer opens any file.
  return {
    runtimeReads: await succeeds(readFile(path)),
    libraryReads: await succeeds(Demuxer.open(path, { format: 'data', skipStreamInfo: true })),
  }
}
