// npm run seed [-- --accounts 50 --statuses 1000 --seed 7]: fills the server that the configuration names.
import { readConfig } from '../../src/config.ts'
import { openBackend } from '../../src/backend.ts'
import { countIn, readArguments } from '../lib/arguments.ts'
import { PASSWORD, seed } from './seed.ts'

const HELP = `Fills the server that the configuration names (DATA_DIR or DATABASE_URL), whether it runs or not.

Usage: npm run seed -- [--accounts N] [--statuses M] [--seed NUMBER]

  --accounts N   how many accounts (50)
  --statuses M   how many posts (1000); follows, replies, boosts, favourites, polls, images, lists, filters,
                 reports, warnings, rules and known servers are added; the last account moderates
  --seed NUMBER  the same number produces the same data (7)`

const { values } = readArguments(HELP, {
  options: {
    accounts: { type: 'string', default: '50' },
    statuses: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7' },
  },
})

/** Rewrites one line on a terminal. Elsewhere it prints a line for every tenth part. */
function progress(what: string, done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done} of ${of}${done === of ? '\n' : ''}`)
  else if (done === of || done % Math.max(1, Math.floor(of / 10)) === 0) console.error(`${what}: ${done} of ${of}`)
}

const options = {
  accounts: countIn(values, 'accounts', 2),
  statuses: countIn(values, 'statuses', 0),
  seed: countIn(values, 'seed', 0),
}
const backend = await openBackend({ ...readConfig(), logLevel: 'warn' }, 'command')
try {
  const { people, statuses } = await seed(backend.ctx, { ...options, progress })
  console.log(
    `Seeded ${people.length} accounts and ${statuses.length} statuses. Sign in as ${people[0]?.username}@localhost with the password: ${PASSWORD}`,
  )
} finally {
  await backend.close()
}
