// npm start: the server. The flag that package.json gives keeps short-lived objects in little memory: 16 MB in place of 56.
import { prepare, runProgram } from './lib/runtime.js'

await prepare({ dev: false })
await runProgram('src/main.ts', process.argv.slice(2))
