// npm start: builds the web client if its sources have changed, and runs the server. package.json sets --max-semi-space-size,
// which limits the young generation to 16 MB instead of 56.
import { ensureClient } from './lib/client-build.js'
import { prepare, runProgram } from './lib/runtime.js'

await prepare({ dev: false })
await ensureClient()
await runProgram('src/main.ts', process.argv.slice(2))
