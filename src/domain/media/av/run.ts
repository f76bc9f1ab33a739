import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { perServer, type Context } from '../../../context.ts'
import { Invalid } from '../../../lib/errors.ts'
import { createSlots } from '../../../lib/slots.ts'
import { CONVERTED_TYPES, FILM_TYPES, IMAGE_TYPES } from '../limits.ts'
import { NOT_PROCESSED, NOT_TAKEN, type Inspected, type Measures, type Order, type Reply } from './protocol.ts'

const CHILD = join(import.meta.dirname, 'child.ts')
/**
 * Writable memory; the runtime alone asks for 0.6 GB of it, without using that. Address space would be no measure: the runtime
 * reserves as much as it may have.
 */
const MEMORY_KB = 2 * 1024 * 1024
/** What one result may take on the disk, in bytes. */
const MAX_RESULT = 256 * 1024 * 1024
const HEAP_MB = 192
/** How long a file may take; somebody waits for the answer while it is looked at. */
const SECONDS = { inspect: 30, convert: 10 * 60 }
const AT_ONCE = { inspect: 2, convert: 1 }
/** No more than this is kept of what a library says about a file. */
const MAX_TEXT = 16 * 1024

/** The library that reads films is not installed, does not run here, or is not to be used. */
export class LibraryMissing extends Error {}

const require = createRequire(import.meta.url)
let runs = isInstalled()

/** Whether films, sounds and animations are converted here; otherwise they are kept as they come. */
export const convertsMedia = (ctx: Context): boolean => ctx.config.mediaProcessing && runs

/** The types of files that can be uploaded, for `configuration.media_attachments`. */
export const supportedTypes = (ctx: Context): string[] => [
  ...IMAGE_TYPES,
  ...FILM_TYPES,
  ...(convertsMedia(ctx) ? CONVERTED_TYPES : []),
]

function isInstalled(): boolean {
  try {
    require.resolve('node-av')
    const builds = process.platform === 'win32' ? ['-msvc', '-mingw'] : ['']
    return builds.some((build) => canResolve(`@seydx/node-av-${process.platform}-${process.arch}${build}/package.json`))
  } catch {
    return false
  }
}

function canResolve(name: string): boolean {
  try {
    return require.resolve(name) !== ''
  } catch {
    return false
  }
}

type Errand = Omit<Order, 'task'>

/** Looks at a film, sound or animation; its picture is written to `target`. Throws Invalid, LibraryMissing. */
export async function inspect(ctx: Context, errand: Errand, seconds = SECONDS.inspect): Promise<Inspected> {
  const reply = await give(ctx, { task: 'inspect', ...errand }, seconds)
  if ('inspected' in reply) return reply.inspected
  throw new Error('the child process gave another answer')
}

/** Writes a film, sound or animation to `target` as it is to be kept. Throws Invalid, LibraryMissing. */
export async function convert(ctx: Context, errand: Errand, seconds = SECONDS.convert): Promise<Measures> {
  const reply = await give(ctx, { task: 'convert', ...errand }, seconds)
  if ('converted' in reply) return reply.converted
  throw new Error('the child process gave another answer')
}

const slotsOf = perServer(() => ({ inspect: createSlots(AT_ONCE.inspect), convert: createSlots(AT_ONCE.convert) }))

async function give(ctx: Context, order: Order, seconds: number): Promise<Reply> {
  const reply = await slotsOf(ctx)[order.task](() => runChild(ctx, order, seconds))
  if ('refused' in reply) throw new Invalid(reply.refused)
  if ('failed' in reply) throw new Error(reply.failed)
  if (!('unavailable' in reply)) return reply
  runs = false
  ctx.log.warn({ reason: reply.unavailable }, 'films and sounds cannot be converted here, and are kept as they come')
  throw new LibraryMissing()
}

/** Runs one child process to its end, or kills it. Whatever ends it otherwise is the file's fault: time, memory, a crash. */
async function runChild(ctx: Context, order: Order, seconds: number): Promise<Reply> {
  const child = spawn(...command([`--max-old-space-size=${HEAP_MB}`, '--no-warnings', CHILD, JSON.stringify(order)]), {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of ours is to be found in there: no address of the database, no key.
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', PATH: '/usr/bin:/bin' },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out = (texts.out + text).slice(0, MAX_TEXT)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err = (texts.err + text).slice(-MAX_TEXT)))
  child.stdin?.on('error', () => {})
  try {
    const { code, signal } = await ending(child)
    if (code === 0) return JSON.parse(texts.out) as Reply
    ctx.log.info({ task: order.task, code, signal, said: texts.err.slice(-500) }, 'a medium could not be processed')
    return { refused: order.task === 'inspect' ? NOT_TAKEN : NOT_PROCESSED }
  } finally {
    clearTimeout(timer)
    if (texts.err !== '') ctx.log.debug({ task: order.task, said: texts.err }, 'about a medium')
  }
}

function ending(child: ReturnType<typeof spawn>): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

/** The runtime, under limits of the system where there is a shell to set them; where it knows one of them not, without that. */
function command(args: string[]): [string, string[]] {
  if (process.platform === 'win32') return [process.execPath, args]
  const limits = `ulimit -c 0; ulimit -d ${MEMORY_KB}; ulimit -f ${MAX_RESULT / 512}`
  return ['/bin/sh', ['-c', `{ ${limits}; } 2>/dev/null; exec "$0" "$@"`, process.execPath, ...args]]
}
