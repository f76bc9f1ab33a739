// Builds the web client into client/dist, in one step for a server that is running.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DIST, hashSources, STAMP } from './lib/client-build.js'
import { prepare, root } from './lib/runtime.js'

await prepare({ dev: false })
const { build } = await import('vite')

/** Bytes from which a file is compressed. */
const SMALLEST = 1024
const COMPRESSED = new Set(['.css', '.js', '.json', '.svg'])

const hash = hashSources()
const folder = `${DIST}.${process.pid}`
const before = `${folder}.before`
try {
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'client/vite.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false },
  })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  await Promise.all(files.map((each) => compress(join(each.parentPath, each.name))))
  mkdirSync(dirname(join(folder, STAMP)), { recursive: true })
  writeFileSync(join(folder, STAMP), hash)
  // Removing it first would take long enough for a request to find half of it.
  if (existsSync(DIST)) renameSync(DIST, before)
  renameSync(folder, DIST)
} catch (error) {
  console.error(/** @type {Error} */ (error).message)
  process.exitCode = 1
} finally {
  for (const each of [folder, before]) rmSync(each, { recursive: true, force: true })
}

/** @param {string} file */
async function compress(file) {
  const content = readFileSync(file)
  if (!COMPRESSED.has(extname(file)) || content.length < SMALLEST) return
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality))
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
