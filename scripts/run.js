// node scripts/run.js FILE [ARGUMENT]…: runs a TypeScript file of this project on the Node that it needs.
import { prepare, runProgram } from './lib/runtime.js'

const [file, ...args] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node scripts/run.js FILE [ARGUMENT]…')
  process.exit(2)
}
await prepare({ dev: !file.startsWith('src/') })
await runProgram(file, args)
