import { withTemporaryFile } from '../files.ts'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { perServer, type Context } from '../../../context.ts'
import { Invalid } from '../../../lib/errors.ts'
import { cachedRead, createSemaphore } from '../../../lib/concurrency.ts'
import { AUDIO_VIDEO_TYPES, CONVERTED_TYPES, HEIC_TYPES, IMAGE_TYPES } from '../types.ts'
import { readCodeCache, writeCodeCache, type CodeCache } from './code-cache.ts'
import {
  CONVERSION_FAILED,
  UNSUPPORTED_FILE,
  type Inspected,
  type MeasuredMedia,
  type Measures,
  type MediaTask,
  type Reply,
} from './protocol.ts'
import { possibleSandboxes, spawnConfined, type Sandbox } from './sandbox.ts'

/** Time limits, for a busy machine: each takes about a second on an idle one. A client waits for every kind but `convert`. */
const SECONDS = { probe: 60, measure: 60, decode: 60, inspect: 60, convert: 10 * 60 }
const CONCURRENCY = { inspect: 2, convert: 2, measure: 1, decode: 2 }
/** Characters of the child's output. */
const MAX_OUTPUT = 16 * 1024

/** node-av is not installed, does not run on this system, or is switched off. */
export class LibraryMissing extends Error {}

const require = createRequire(import.meta.url)
let isAvailable = isInstalled()

/** When false, video, audio and animations are stored as uploaded. */
export const convertsMedia = (ctx: Context): boolean => ctx.config.mediaProcessing && isAvailable

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

/** `path`: the file to read; `target`: the path of the result. */
export type TaskFiles = Omit<MediaTask, 'kind'> & { path: string }

/** Writes a preview to `target`. Throws Invalid, LibraryMissing. */
export async function inspectMedia(ctx: Context, files: TaskFiles, seconds = SECONDS.inspect): Promise<Inspected> {
  const reply = await runTask(ctx, { kind: 'inspect', ...files }, seconds)
  if ('inspected' in reply) return reply.inspected
  throw new Error('unexpected reply of the child process')
}

/** Parts of the file may be missing. Throws Invalid, LibraryMissing. */
export async function measureMedia(ctx: Context, file: Omit<TaskFiles, 'target'>): Promise<MeasuredMedia> {
  const reply = await runTask(ctx, { kind: 'measure', target: '', ...file }, SECONDS.measure)
  if ('measured' in reply) return reply.measured
  throw new Error('unexpected reply of the child process')
}

/** Writes the result to `target`. Throws Invalid, LibraryMissing. */
export async function convertMedia(ctx: Context, files: TaskFiles, seconds = SECONDS.convert): Promise<Measures> {
  const reply = await runTask(ctx, { kind: 'convert', ...files }, seconds)
  if ('converted' in reply) return reply.converted
  throw new Error('unexpected reply of the child process')
}

/** Writes the primary image to `target` as PNG. Throws Invalid, LibraryMissing. */
export async function decodeHeic(ctx: Context, path: string, target: string): Promise<void> {
  await runTask(ctx, { kind: 'decode', path, target, demuxer: '', isAnimation: false }, SECONDS.decode)
}

const semaphoresOf = perServer(() => ({
  inspect: createSemaphore(CONCURRENCY.inspect),
  convert: createSemaphore(CONCURRENCY.convert),
  measure: createSemaphore(CONCURRENCY.measure),
  decode: createSemaphore(CONCURRENCY.decode),
}))

type FileTask = TaskFiles & { kind: Exclude<MediaTask['kind'], 'probe'> }

async function runTask(ctx: Context, task: FileTask, seconds: number): Promise<Reply> {
  const reply = await semaphoresOf(ctx)[task.kind](async () => runChild(ctx, await sandboxOf(ctx), task, seconds))
  if ('refused' in reply) throw new Invalid(reply.refused)
  if ('failed' in reply) throw new Error(reply.failed)
  if (!('unavailable' in reply)) return reply
  isAvailable = false
  ctx.log.warn({ reason: reply.unavailable }, 'media.conversion-unavailable')
  throw new LibraryMissing()
}

type Chosen = { sandbox: Sandbox; code: CodeCache }

/**
 * By data directory: a sandbox that cannot hide it is not used. The rest of the answer is the same for all servers of a process.
 */
const sandboxes = new Map<string, Promise<Chosen>>()

/** The strongest sandbox that works on this system, determined once. */
const sandboxOf = (ctx: Context): Promise<Chosen> => cachedRead(sandboxes, ctx.config.dataDir, () => chooseSandbox(ctx))

async function chooseSandbox(ctx: Context): Promise<Chosen> {
  const chosen = await withTemporaryFile(ctx, async (path): Promise<Chosen> => {
    await writeFile(path, 'must not be readable', { mode: 0o644 })
    let code: CodeCache = new Map()
    for (const sandbox of possibleSandboxes()) {
      code = new Map()
      const reply = await probeSandbox(ctx, sandbox, path, code)
      if ('probed' in reply && !reply.probed.libraryReads && !reply.probed.runtimeReads) return { sandbox, code }
      ctx.log.info({ sandbox, reply }, 'media.sandbox.unavailable')
    }
    return { sandbox: 'permissions', code }
  })
  const { sandbox } = chosen
  ctx.log[sandbox === 'permissions' ? 'warn' : 'info']({ sandbox }, 'media.sandbox.chosen')
  return chosen
}

/** Adds to `code` what the next tasks in this sandbox need not compile. */
export async function probeSandbox(
  ctx: Context,
  sandbox: Sandbox,
  target: string,
  code: CodeCache = new Map(),
): Promise<Reply> {
  const probe = { kind: 'probe', path: '/dev/null', target, demuxer: '', isAnimation: false } as const
  return runChild(ctx, { sandbox, code }, probe, SECONDS.probe).catch((error: unknown) => ({ failed: String(error) }))
}

/** A timeout, lack of memory or a crash counts as a fault of the file. */
async function runChild(
  ctx: Context,
  { sandbox, code }: Chosen,
  { path, ...task }: Omit<FileTask, 'kind'> & Pick<MediaTask, 'kind'>,
  seconds: number,
): Promise<Reply> {
  const { dataDir } = ctx.config
  const folder = join(dataDir, 'tmp', `upload-${randomUUID()}.media`)
  const [work, root] = [join(folder, 'work'), join(folder, 'root')]
  const result = task.kind === 'probe' ? task.target : `result${extname(task.target)}`
  for (const name of [work, root]) await mkdir(name, { recursive: true, mode: 0o700 })
  const source = await open(path)
  try {
    await writeCodeCache(work, code)
    const confined = { sandbox, work: await realpath(work), root, source: source.fd, dataDir }
    const child = await spawnConfined({ ...task, target: result }, confined)
    const reply = await readReply(ctx, child, task.kind, seconds)
    if (task.kind === 'probe') await readCodeCache(work, code)
    else if (task.kind !== 'measure') await takeResult(join(work, result), task.target)
    return reply
  } finally {
    await source.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves the result, unless it is a link, which could name a file that only the server may read. */
async function takeResult(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => null)
  if (found?.isFile() && found.nlink === 1) await rename(from, to)
}

async function readReply(ctx: Context, child: ChildProcess, kind: MediaTask['kind'], seconds: number): Promise<Reply> {
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out = (texts.out + text).slice(0, MAX_OUTPUT)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err = (texts.err + text).slice(-MAX_OUTPUT)))
  child.stdin?.on('error', () => {})
  try {
    const { code, signal } = await waitForExit(child)
    if (code === 0) return JSON.parse(texts.out) as Reply
    ctx.log.info({ task: kind, code, signal, output: texts.err.slice(-500) }, 'media.process-failed')
    return { refused: kind === 'convert' ? CONVERSION_FAILED : UNSUPPORTED_FILE }
  } finally {
    clearTimeout(timer)
    if (texts.err !== '') ctx.log.debug({ task: kind, output: texts.err }, 'media.process-output')
  }
}

function waitForExit(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
