// npm run bench: measures a server with its database. `-- --help` explains it.
import { stopServers } from './lib/server.ts'
import { runRows } from './rows/main.ts'
import { runSoak } from './soak/main.ts'

type Scale = { runScale(args: string[]): Promise<void> }

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopServers().finally(() => process.exit(1)))

const [command, ...args] = process.argv.slice(2)
if (command === 'scale') {
  const folder: string = './scale'
  await ((await import(`${folder}/main.ts`)) as Scale).runScale(args)
} else if (command === 'soak') await runSoak(args)
else await runRows(process.argv.slice(2))
process.exit()
