import { runCli } from './run.ts'

// Such as a full disk. A reader that has seen enough, such as head, is no error.
let lost: NodeJS.ErrnoException | null = null
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') lost = error
})
const status = await runCli(process.argv.slice(2), { out: console.log, err: console.error })
await new Promise<unknown>((resolve) => process.stdout.write('', resolve))
if (lost) console.error(`rookery: ${(lost as Error).message}`)
process.exit(lost ? 1 : status)
