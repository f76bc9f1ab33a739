// npm run bench: measures a server with its database. `-- --help` explains it.
import { runClient } from './client/main.ts'
import { stopServers } from './lib/server.ts'
import { runRows } from './rows/main.ts'
import { runScale } from './scale/main.ts'
import { runSoak } from './soak/main.ts'

const commands = new Map([
  ['client', runClient],
  ['scale', runScale],
  ['soak', runSoak],
])

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopServers().finally(() => process.exit(1)))

const [name = '', ...args] = process.argv.slice(2)
const command = commands.get(name)
await (command ? command(args) : runRows(process.argv.slice(2)))
process.exit()
