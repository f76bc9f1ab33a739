import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { perServer, type Context } from '../../../context.ts'
import { Invalid } from '../../../lib/errors.ts'
import { once } from '../../../lib/once.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import { withTemporary } from '../temporary.ts'
import { AUDIO_VIDEO_TYPES, CONVERTED_TYPES, HEIC_TYPES, IMAGE_TYPES } from '../types.ts'
import { NOT_PROCESSED, NOT_TAKEN, type Inspected, type Measures, type Order, type Reply } from './protocol.ts'
import { possibleSandboxes, spawnConfined, type Sandbox } from './sandbox.ts'

/** How long a file may take; somebody waits for the answer while it is looked at. */
const SECONDS = { ready: 20, measure: 15, image: 30, inspect: 30, convert: 10 * 60 }
const AT_ONCE = { inspect: 2, convert: 2, measure: 1, image: 2 }
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
  ...AUDIO_VIDEO_TYPES,
  ...(convertsMedia(ctx) ? [...CONVERTED_TYPES, ...HEIC_TYPES] : []),
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

/** A file and where its result goes: both are paths. */
export type Errand = Omit<Order, 'task'> & { path: string }

/** Looks at a film, sound or animation; its picture is written to `target`. Throws Invalid, LibraryMissing. */
export async function inspectMedia(ctx: Context, errand: Errand, seconds = SECONDS.inspect): Promise<Inspected> {
  const reply = await give(ctx, { task: 'inspect', ...errand }, seconds)
  if ('inspected' in reply) return reply.inspected
  throw new Error('the child process gave another answer')
}

/** Measures a video or audio file of which parts may be missing. Throws Invalid, LibraryMissing. */
export async function measureMedia(ctx: Context, file: Omit<Errand, 'target'>): Promise<Measures> {
  const reply = await give(ctx, { task: 'measure', target: '', ...file }, SECONDS.measure)
  if ('measured' in reply) return reply.measured
  throw new Error('the child process gave another answer')
}

/** Writes a film, sound or animation to `target` as it is to be kept. Throws Invalid, LibraryMissing. */
export async function convertMedia(ctx: Context, errand: Errand, seconds = SECONDS.convert): Promise<Measures> {
  const reply = await give(ctx, { task: 'convert', ...errand }, seconds)
  if ('converted' in reply) return reply.converted
  throw new Error('the child process gave another answer')
}

/** Decodes the primary image of a HEIC file, and writes it to `target` as PNG. Throws Invalid, LibraryMissing. */
export async function decodeHeic(ctx: Context, path: string, target: string, seconds = SECONDS.image): Promise<void> {
  await give(ctx, { task: 'image', path, target, demuxer: '', isAnimation: false }, seconds)
}

const semaphoresOf = perServer(() => ({
  inspect: createSemaphore(AT_ONCE.inspect),
  convert: createSemaphore(AT_ONCE.convert),
  measure: createSemaphore(AT_ONCE.measure),
  image: createSemaphore(AT_ONCE.image),
}))

type Task = Errand & { task: Exclude<Order['task'], 'ready'> }

async function give(ctx: Context, order: Task, seconds: number): Promise<Reply> {
  const reply = await semaphoresOf(ctx)[order.task](async () => runChild(ctx, await sandboxOf(ctx)(), order, seconds))
  if ('refused' in reply) throw new Invalid(reply.refused)
  if ('failed' in reply) throw new Error(reply.failed)
  if (!('unavailable' in reply)) return reply
  runs = false
  ctx.log.warn({ reason: reply.unavailable }, 'media.conversion-unavailable')
  throw new LibraryMissing()
}

/** The strongest sandbox that works here, found out once. */
const sandboxOf = perServer((ctx) => once(() => chooseSandbox(ctx)))

async function chooseSandbox(ctx: Context): Promise<Sandbox> {
  const chosen = await withTemporary(ctx, async (path) => {
    await writeFile(path, 'must not be readable', { mode: 0o644 })
    for (const sandbox of possibleSandboxes()) {
      const reply = await probeSandbox(ctx, sandbox, path)
      if ('ready' in reply && !reply.ready.libraryReads && !reply.ready.runtimeReads) return sandbox
      ctx.log.info({ sandbox, reply }, 'media.sandbox.unavailable')
    }
    return 'permissions'
  })
  ctx.log[chosen === 'permissions' ? 'warn' : 'info']({ sandbox: chosen }, 'media.sandbox.chosen')
  return chosen
}

/** Has a child process in a sandbox try to read a file. */
export async function probeSandbox(ctx: Context, sandbox: Sandbox, target: string): Promise<Reply> {
  const probe = { task: 'ready', path: '/dev/null', target, demuxer: '', isAnimation: false } as const
  return runChild(ctx, sandbox, probe, SECONDS.ready).catch((error: unknown) => ({ failed: String(error) }))
}

/** Runs one child process to its end, or kills it. Whatever ends it otherwise is the file's fault: time, memory, a crash. */
async function runChild(
  ctx: Context,
  sandbox: Sandbox,
  { path, ...order }: Omit<Task, 'task'> & Pick<Order, 'task'>,
  seconds: number,
): Promise<Reply> {
  const { dataDir } = ctx.config
  const folder = join(dataDir, 'tmp', `upload-${randomUUID()}.media`)
  const [work, root] = [join(folder, 'work'), join(folder, 'root')]
  const result = order.task === 'ready' ? order.target : `result${extname(order.target)}`
  for (const name of [work, root]) await mkdir(name, { recursive: true, mode: 0o700 })
  const source = await open(path)
  try {
    const confined = { sandbox, work: await realpath(work), root, source: source.fd, dataDir }
    const child = await spawnConfined({ ...order, target: result }, confined)
    const reply = await answerOf(ctx, child, order.task, seconds)
    if (order.task !== 'ready' && order.task !== 'measure') await takeResult(join(work, result), order.target)
    return reply
  } finally {
    await source.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves what the child wrote, unless it is a link: to what it names, only this process has access. */
async function takeResult(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => null)
  if (found?.isFile() && found.nlink === 1) await rename(from, to)
}

async function answerOf(ctx: Context, child: ChildProcess, task: Order['task'], seconds: number): Promise<Reply> {
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out = (texts.out + text).slice(0, MAX_TEXT)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err = (texts.err + text).slice(-MAX_TEXT)))
  child.stdin?.on('error', () => {})
  try {
    const { code, signal } = await ending(child)
    if (code === 0) return JSON.parse(texts.out) as Reply
    ctx.log.info({ task, code, signal, said: texts.err.slice(-500) }, 'media.process-failed')
    return { refused: task === 'convert' ? NOT_PROCESSED : NOT_TAKEN }
  } finally {
    clearTimeout(timer)
    if (texts.err !== '') ctx.log.debug({ task, said: texts.err }, 'media.process-output')
  }
}

function ending(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
