// npm run dev: runs the server with the web client from its sources. Changes show at once; Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { PARENT, prepare, root } from './lib/runtime.js'

const [argument] = process.argv.slice(2)
if (argument === '--help') {
  console.log('Usage: npm run dev\nThe variables in docs/admin/configure.md, such as PORT, configure it.')
  process.exit()
}
if (argument !== undefined) {
  console.error(`npm run dev takes no ${argument}. See npm run dev -- --help.`)
  process.exit(2)
}

await prepare({ dev: true })
if (existsSync(join(root, '.env'))) loadEnvFile(join(root, '.env'))
const { createServer } = await import('vite')

const port = Number(process.env.PORT ?? 3000)
const serverPort = await freePort()

// Vite answers at the server's address, and passes on what is not the client's.
const vite = await createServer({
  root: join(root, 'client'),
  configFile: join(root, 'client/vite.config.ts'),
  configLoader: 'native',
  appType: 'custom',
  clearScreen: false,
  server: {
    host: process.env.BIND ?? 'localhost',
    port,
    strictPort: true,
    allowedHosts: true,
    fs: { allow: ['client', 'src/messages', 'src/html/styles', 'node_modules'].map((folder) => join(root, folder)) },
    proxy: { '^/(?!client/)': { target: `http://127.0.0.1:${serverPort}`, ws: true, xfwd: true } },
  },
})

const server = spawn(process.execPath, ['--max-semi-space-size=8', join(root, 'scripts/run.js'), 'src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  // A terminal's Ctrl-C would arrive twice.
  detached: true,
  env: {
    ...process.env,
    [PARENT]: String(process.pid),
    LOCAL_DOMAIN: process.env.LOCAL_DOMAIN ?? (port === 80 ? 'localhost' : `localhost:${port}`),
    PORT: String(serverPort),
    BIND: '127.0.0.1',
    CLIENT_DEV: 'true',
  },
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => void server.kill(signal))
server.once('exit', async (code) => {
  await vite.close()
  process.exit(code ?? 1)
})

try {
  await vite.listen()
} catch (error) {
  console.error(/** @type {Error} */ (error).message)
  server.kill('SIGTERM')
}

/** @returns {Promise<number>} */
function freePort() {
  const probe = createNetServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}
