// npm start: the server. With the flags that package.json gives, garbage is collected before it takes more than what is used.
import { prepare, runProgram } from './lib/runtime.js'

await prepare({ dev: false })
await runProgram('src/main.ts', process.argv.slice(2))
