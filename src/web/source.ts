// GET /source.tar.gz: the source of the running software, as the licence (AGPL, section 13) requires.
import { glob, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { addFile } from '../lib/tar.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The archive must not contain data, settings or dependencies. */
const PARTS = [
  '*.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.gitignore',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'knip.json',
  'Dockerfile',
  'compose.yaml',
  '.dockerignore',
  '{bin,scripts,src,test,bench,client,contrib,docs,.ci}/**',
]

/** The pages link to SOURCE_BASE_URL instead if it is set. */
export function registerSource(app: FastifyInstance, ctx: Context): void {
  app.get('/source.tar.gz', async (request, reply) => {
    await limitUse(ctx, 'source', addressKey(request.ip))
    void reply
      .type('application/gzip')
      .header('content-disposition', 'attachment; filename="rookery-source.tar.gz"')
      .header('cache-control', 'public, max-age=3600')
    return reply.send(await pack(await listSource()))
  })
}

async function listSource(): Promise<string[]> {
  const paths: string[] = []
  // Build output is no source.
  for await (const path of glob(PARTS, { cwd: ROOT, exclude: ['client/dist*'] }))
    if ((await stat(join(ROOT, path))).isFile()) paths.push(path)
  return paths.toSorted()
}

async function pack(paths: readonly string[]): Promise<PassThrough> {
  const { default: tar } = await import('tar-stream')
  const out = new PassThrough()
  const archive = tar.pack()
  const fill = async (): Promise<void> => {
    for (const path of paths) {
      const file = join(ROOT, path)
      const { mode, mtime } = await stat(file)
      await addFile(archive, { name: `rookery/${path}`, mode, mtime }, await readFile(file))
    }
    archive.finalize()
  }
  pipeline(archive, createGzip(), out).catch((error: Error) => out.destroy(error))
  fill().catch((error: Error) => archive.destroy(error))
  return out
}
