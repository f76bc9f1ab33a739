import { type Backend, openBackend, openConnection } from '../backend.ts'
import { create, list, modify, remove, resetPasswordOf } from './accounts.ts'
import { type Command, CommandError, UsageError, columns, helpOf, parseWords } from './command.ts'
import { databaseStatus, migrateDatabase } from './db.ts'
import { budgets } from './federation.ts'
import { getSetting, setSetting } from './settings.ts'
import { type Config, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { AppError, StartError } from '../lib/errors.ts'
import { MASTODON_VERSION, VERSION } from '../lib/version.ts'

/** rookery version: what this is. */
const version: Command = {
  name: 'version',
  args: [],
  summary: 'Show the version',
  options: {},
  run: async () => ({
    text: `Rookery ${VERSION} (offers the API of Mastodon ${MASTODON_VERSION}; Node ${process.versions.node})`,
    json: { version: VERSION, mastodon: MASTODON_VERSION, node: process.versions.node },
  }),
}

const COMMANDS: readonly Command[] = [
  create,
  modify,
  remove,
  resetPasswordOf,
  list,
  getSetting,
  setSetting,
  budgets,
  migrateDatabase,
  databaseStatus,
  version,
]

const HELP_WORDS = new Set(['help', '--help', '-h'])

function overview(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [[command.name, ...command.args].join(' '), command.summary])
  return `Looks after a Rookery server: works on the database that the configuration names, whether the server runs or not.\n\nUsage: rookery COMMAND [options]\n\nCommands:\n${columns(rows)}\n\nEvery command explains itself with --help, and prints JSON with --json.`
}

/** The command that the words begin with, and the words after its name. */
function findCommand(words: string[]): { command: Command; rest: string[] } | null {
  for (const command of COMMANDS) {
    const name = command.name.split(' ')
    if (name.every((word, i) => words[i] === word)) return { command, rest: words.slice(name.length) }
  }
  return null
}

/** Runs one command line; gives the exit status. */
async function run(words: string[]): Promise<number> {
  if (words.length === 0 || HELP_WORDS.has(words[0] as string)) return print(overview(COMMANDS))
  const found = findCommand(words[0] === '--version' ? ['version'] : words)
  if (!found) {
    const near = COMMANDS.filter((command) => command.name.startsWith(`${words[0]} `))
    if (near.length > 0 && words.some((word) => HELP_WORDS.has(word))) return print(overview(near))
    throw new UsageError(
      near.length > 0
        ? `${words[0]} needs one of: ${near.map(({ name }) => name.split(' ')[1]).join(', ')}`
        : `there is no command ${words[0]}`,
    )
  }
  const { command, rest } = found
  const { args, values } = parseWords(command, rest)
  if (values.help) return print(helpOf(command))
  const session = openSession(readConfig())
  try {
    const result = await command.run({ ...session, args, values })
    return print(values.json ? JSON.stringify(result.json, null, 2) : result.text)
  } finally {
    await session.close()
  }
}

function print(text: string): number {
  console.log(text)
  return 0
}

run(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    if (error instanceof UsageError) {
      console.error(`rookery: ${error.message}\nSee: rookery --help`)
      process.exit(2)
    }
    if (error instanceof CommandError || error instanceof StartError || error instanceof AppError)
      console.error(`rookery: ${error.message}`)
    else console.error(error)
    process.exit(1)
  },
)

type Session = { ctx: () => Promise<Context>; database: () => Promise<Database>; close(): Promise<void> }

/** What a command works with, opened when it first asks: a command that only explains itself touches no database. */
function openSession(config: Config): Session {
  const commandConfig = { ...config, logLevel: 'warn' }
  let backend: Promise<Backend> | null = null
  let connection: ReturnType<typeof openConnection> | null = null
  return {
    ctx: async () => (await (backend ??= openBackend(commandConfig, 'command'))).ctx,
    database: async () => (await (connection ??= openConnection(commandConfig, 'command'))).database,
    async close() {
      await (await backend)?.close()
      await (await connection)?.close()
    },
  }
}
