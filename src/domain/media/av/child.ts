// The process that decodes uploads: run.ts starts it for one task, and kills it when the task takes too long.
import { getPriority, setPriority } from 'node:os'
import { UNSUPPORTED_FILE, type MediaTask, type Reply } from './protocol.ts'

/** AV_LOG_ERROR */
const LOG_ERRORS = 16
/** ENOSPC, EMFILE, ENFILE, EACCES, EIO, negative as in FFmpeg: failures of the server. ENOMEM counts as the file's. */
const SERVER_FAULTS = new Set([-28, -24, -23, -13, -5])

// The pipe closes when the server ends.
process.stdin.on('end', () => process.exit(1)).resume()
const task = JSON.parse(process.argv[2] ?? '{}') as MediaTask
// A lower priority than the server's: for a task on which a client waits, only a little lower.
// The server's may be low itself, and only root may raise one.
setPriority(Math.min(19, Math.max(0, getPriority()) + (task.kind === 'convert' ? 10 : 5)))
const reply = await work(task)
process.stdout.write(JSON.stringify(reply), () => process.exit(0))

async function work(task: MediaTask): Promise<Reply> {
  try {
    const { Log } = await import('node-av/lib')
    Log.setLevel(LOG_ERRORS as never)
  } catch (error) {
    return { unavailable: String(error) }
  }
  if (task.kind === 'probe') {
    // Compiles the code of every task: code-cache.ts.
    await Promise.all([import('./inspect.ts'), import('./convert.ts'), import('./heic.ts')])
    return { probed: await tryToRead(task.target) }
  }
  try {
    if (task.kind === 'measure') return { measured: await (await import('./inspect.ts')).measureFile(task) }
    if (task.kind === 'decode') {
      await (await import('./heic.ts')).decodeImage(task)
      return { decoded: true }
    }
    if (task.kind === 'inspect') return { inspected: await (await import('./inspect.ts')).inspectFile(task) }
    return { converted: await (await import('./convert.ts')).convertFile(task) }
  } catch (error) {
    const { Refusal } = await import('./source.ts')
    if (error instanceof Refusal) return { refused: error.message }
    const { code } = error as { code?: unknown }
    if ((typeof code === 'number' && SERVER_FAULTS.has(code)) || (error as NodeJS.ErrnoException).syscall)
      return { failed: String(error) }
    // The server logs this.
    process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { refused: UNSUPPORTED_FILE }
  }
}

async function tryToRead(path: string): Promise<{ runtimeReads: boolean; libraryReads: boolean }> {
  const { readFile } = await import('node:fs/promises')
  const { Demuxer } = await import('./library.ts')
  const succeeds = (reading: Promise<unknown>): Promise<boolean> =>
    reading.then(
      () => true,
      () => false,
    )
  // The raw demuxer accepts any format, so only the sandbox can make it fail.
  return {
    runtimeReads: await succeeds(readFile(path)),
    libraryReads: await succeeds(Demuxer.open(path, { format: 'data', skipStreamInfo: true })),
  }
}
