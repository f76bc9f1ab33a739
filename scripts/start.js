// npm start: the server.
import { prepare, runProgram } from './lib/runtime.js'

await prepare({ dev: false })
await runProgram('src/main.ts', process.argv.slice(2))
