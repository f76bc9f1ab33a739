// npm start: runs the server. package.json sets --max-semi-space-size, which limits the young generation to 16 MB instead of 56.
import { prepare, runProgram } from './lib/runtime.js'

await prepare({ dev: false })
await runProgram('src/main.ts', process.argv.slice(2))
