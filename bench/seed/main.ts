// npm run seed [-- --accounts 50 --statuses 1000 --seed 7]: fills the server that the configuration names.
import { parseArgs } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { openBackend } from '../../src/backend.ts'
import { PASSWORD, seed } from './seed.ts'

const HELP = `Fills the server that the configuration names (DATA_DIR or DATABASE_URL), whether it runs or not.

Usage: npm run seed -- [--accounts N] [--statuses M] [--seed NUMBER]

  --accounts N   how many accounts (50)
  --statuses M   how many posts (1000); follows, replies, boosts, favourites, polls, images, lists, filters,
                 reports, warnings, rules and known servers are added; the last account moderates
  --seed NUMBER  the same number produces the same data (7)`

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    statuses: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7' },
    help: { type: 'boolean', short: 'h' },
  },
})

/** Rewrites one line on a terminal. Elsewhere it prints a line for every tenth part. */
function progress(what: string, done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done} of ${of}${done === of ? '\n' : ''}`)
  else if (done === of || done % Math.max(1, Math.floor(of / 10)) === 0) console.error(`${what}: ${done} of ${of}`)
}

const wholeNumber = (name: 'accounts' | 'statuses' | 'seed', min: number): number => {
  const n = Number(values[name])
  if (!Number.isSafeInteger(n) || n < min) {
    console.error(`--${name} must be a whole number of at least ${min}. See --help.`)
    process.exit(2)
  }
  return n
}

if (values.help) console.log(HELP)
else {
  const options = {
    accounts: wholeNumber('accounts', 2),
    statuses: wholeNumber('statuses', 0),
    seed: wholeNumber('seed', 0),
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
}
