import { runCli } from './run.ts'

process.exit(await runCli(process.argv.slice(2), { out: console.log, err: console.error }))
