import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Bytes above which a file is not stored before it is used: the data of emojis. */
const LARGE = 200_000

/** The texts of a language: the page has loaded those of its own. */
const TEXTS = /\/messages\/\w+\/client\/(?:texts|later)\.ts$/

/**
 * Builds the service worker into `sw.js`, on its own: it shares no file with the pages, so that it is complete when it is installed.
 * It receives the names of all files of the client.
 */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const files = filesOf(bundle)
      const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)
      await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { CLIENT_BUILD: JSON.stringify({ version, ...files }) },
        build: {
          outDir: dir ?? join(root, 'dist'),
          emptyOutDir: false,
          target: 'es2023',
          reportCompressedSize: false,
          rolldownOptions: {
            input: 'src/service-worker.ts',
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      })
    },
  }
}

function filesOf(bundle: Rolldown.OutputBundle): { entry: string; first: string[]; later: string[] } {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The client has no entry')
  const first = withImports(bundle, entry.fileName)
  const later = chunks
    .filter(({ code, moduleIds }) => code.length < LARGE && !moduleIds.some((id) => TEXTS.test(id)))
    .flatMap(({ fileName }) => [...withImports(bundle, fileName)])
    .filter((file) => !first.has(file))
  return { entry: entry.fileName, first: [...first], later: [...new Set(later)] }
}

/** A chunk with its styles, and those that it imports. */
function withImports(bundle: Rolldown.OutputBundle, name: string, files = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (chunk?.type !== 'chunk' || files.has(name)) return files
  files.add(name)
  for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file)
  for (const each of chunk.imports) withImports(bundle, each, files)
  return files
}

/** The server sends the shell and reads the manifest (src/web/client/shell.ts), so there is no index.html. */
export default defineConfig({
  root,
  base: '/client/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [serviceWorker()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    // The names of emojis, one language at a time, when the picker opens.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: 'src/main.tsx' },
      // What the first paint needs is one file instead of fifty: each costs a request.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
