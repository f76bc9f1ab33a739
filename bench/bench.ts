// npm run bench: measures a server with its database. `-- --help` explains it.
import { stopServers } from './lib/server.ts'

type Bench = (args: string[]) => Promise<void>

const commands = new Map<string, () => Promise<Bench>>([
  ['client', async () => (await import('./client/main.ts')).runClient],
  ['scale', async () => (await import('./scale/main.ts')).runScale],
  ['soak', async () => (await import('./soak/main.ts')).runSoak],
])

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopServers().finally(() => process.exit(1)))

const words = process.argv.slice(2)
const load = commands.get(words[0] ?? '')
if (load) await (await load())(words.slice(1))
else await (await import('./rows/main.ts')).runRows(words)
process.exit()
