import type { Backend } from '../backend.ts'
import type { OpenConnection } from '../connection.ts'
import { type Command, CommandError, UsageError, columns, helpOf, parseWords } from './command.ts'
import { allCommands, commandsOf } from './commands.ts'
import { type Config, readConfig, readLocale } from '../config.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { messageLanguage } from '../domain/server/languages.ts'
import { CLI_TEXTS } from '../messages/cli.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { render, type Language } from '../messages/message.ts'
import { AppError, reasonOf } from '../lib/errors.ts'
import { escapeControls } from '../lib/text/controls.ts'

const HELP_WORDS = new Set(['help', '--help', '-h'])

function overview(t: CliTexts, commands: readonly Command[]): string {
  const rows = commands.map(({ name, args }) => [[name, ...args].join(' '), t.commands[name].summary])
  return `${t.about}\n\n${t.usage}: rookery COMMAND [options]\n\n${t.commands_title}:\n${columns(rows)}\n\n${t.hint}`
}

type Found = { command: Command; rest: string[] }

function findCommand(commands: readonly Command[], words: string[]): Found | null {
  for (const command of commands) {
    const name = command.name.split(' ')
    if (name.every((word, i) => words[i] === word)) return { command, rest: words.slice(name.length) }
  }
  return null
}

/** The words that print the help closest to what was typed. */
async function helpFor(words: string[]): Promise<string> {
  const [group = ''] = words
  const commands = await commandsOf(group)
  const name = findCommand(commands, words)?.command.name ?? (commands.length > 0 ? group : null)
  return ['rookery', name, '--help'].filter((word) => word !== null).join(' ')
}

export type Output = { out(text: string): void; err(text: string): void }

/**
 * Carries out one command and returns the exit status: 0, 1 when it cannot be carried out, 2 for wrong usage. `env` holds the
 * configuration and the language of the terminal; this process's environment unless given. The text arguments of `out` and `err`
 * have no line end. `databasesOf`: for callers with many commands, which may share what they open.
 */
export async function runCli(
  words: string[],
  output: Output,
  env?: NodeJS.ProcessEnv,
  databasesOf = openOnDemand,
): Promise<number> {
  const language = messageLanguage(readLocale(env))
  const texts = CLI_TEXTS[language]
  // Names in archives, and what other servers say about themselves, may contain commands for the terminal.
  const out = (text: string): void => output.out(escapeControls(text))
  const err = (text: string): void => output.err(escapeControls(text))
  try {
    out(await run({ language, err, env, databasesOf }, words))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      err(`rookery: ${error.message}\n${texts.see_help({ help: await helpFor(words) })}`)
      return 2
    }
    const reason = explain(error, language)
    err(reason === null ? String(error instanceof Error ? error.stack : error) : `rookery: ${reason}`)
    return 1
  }
}

type Surroundings = {
  language: Language
  err: Output['err']
  env: NodeJS.ProcessEnv | undefined
  databasesOf: (config: Config) => Databases
}

async function run(surroundings: Surroundings, words: string[]): Promise<string> {
  const { language, err, env } = surroundings
  const t: CliTexts = CLI_TEXTS[language]
  const [name = ''] = words
  // `rookery help accounts create` asks for the same as `rookery accounts create --help`.
  const others = words.filter((word) => !HELP_WORDS.has(word))
  if (others.length === 0) return overview(t, await allCommands())
  if (HELP_WORDS.has(name)) return run(surroundings, [...others, '--help'])
  if (name === '--version') return run(surroundings, ['version', ...words.slice(1)])
  const near = await commandsOf(name)
  const found = findCommand(near, words)
  if (!found) {
    if (near.length > 0 && words.some((word) => HELP_WORDS.has(word))) return overview(t, near)
    throw new UsageError(
      near.length > 0
        ? t.errors.incomplete({ name, choices: near.map((command) => command.name.split(' ')[1]).join(', ') })
        : t.errors.no_command({ name }),
    )
  }
  const { command, rest } = found
  const { args, values } = parseWords(t, command, rest)
  if (values.help) return helpOf(t, command)
  const config = readConfig(env)
  const databases = surroundings.databasesOf(config)
  try {
    const result = await command.run({ ...databases, config, t, language, args, values, progress: progressLines(err) })
    return values.json ? JSON.stringify(result.json, null, 2) : result.text
  } finally {
    await databases.close()
  }
}

/** Milliseconds between lines of progress. */
const PROGRESS_EVERY_MS = 2000

/** Shows at most one line every two seconds: a quick command shows none. */
function progressLines(write: (line: string) => void): (line: string) => void {
  let last = Date.now()
  return (line) => {
    const now = Date.now()
    if (now - last < PROGRESS_EVERY_MS) return
    last = now
    write(line)
  }
}

export type Databases = { open: () => Promise<Context>; database: () => Promise<Database>; close(): Promise<void> }

/** Opens a database when a command first needs it: --help needs none. */
function openOnDemand(config: Config): Databases {
  const commandConfig = { ...config, logLevel: 'warn' }
  let backend: Promise<Backend> | null = null
  const openAll = async (): Promise<Backend> => (await import('../backend.ts')).openBackend(commandConfig, 'command')
  let connection: Promise<OpenConnection> | null = null
  const connect = async (): Promise<OpenConnection> =>
    (await import('../connection.ts')).openConnection(commandConfig, 'command')
  return {
    open: async () => (await (backend ??= openAll())).ctx,
    database: async () => (await (connection ??= connect())).database,
    async close() {
      // Both at the same time: the one that started the embedded database waits until the other has left it.
      await Promise.all([backend, connection].map(async (opened) => (await opened)?.close()))
    },
  }
}

function explain(error: unknown, language: Language): string | null {
  const reason = error instanceof CommandError ? error.message : reasonOf(error)
  if (!(error instanceof AppError)) return reason
  const text = render(error.text, language)
  return reason === null || reason === error.message ? text : `${text} (${reason})`
}
