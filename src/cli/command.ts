import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'

/** Something is wrong with what was typed: the message is shown with a hint at --help, exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What was asked for could not be done: the message is shown, exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export type Option = ParseArgsOptionDescriptor & { help: string; value?: string }
export type Values = Record<string, string | boolean | undefined>

export type Command = {
  /** Words after `rookery`, such as `accounts create`. */
  name: string
  /** Names of the positional arguments. */
  args: readonly string[]
  summary: string
  options: Record<string, Option>
  /** Does it, and gives what to print: `json` with --json, otherwise `text`. `ctx` opens the migrated database; `database` opens it as it is. */
  run(call: {
    ctx: () => Promise<Context>
    database: () => Promise<Database>
    args: readonly string[]
    values: Values
  }): Promise<{ text: string; json: unknown }>
}

/** Everybody's options. */
const COMMON: Record<string, Option> = {
  json: { type: 'boolean', help: 'print JSON, for programs' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
}

/** Splits the words after the command's name into arguments and options. Throws UsageError. */
export function parseWords(command: Command, words: string[]): { args: string[]; values: Values } {
  try {
    const { positionals, values } = parseArgs({
      args: words,
      options: { ...command.options, ...COMMON },
      allowPositionals: true,
    })
    if (!values.help && positionals.length !== command.args.length)
      throw new UsageError(
        command.args.length === 0
          ? `takes no arguments, but got: ${positionals.join(' ')}`
          : `needs ${command.args.join(' ')}`,
      )
    return { args: positionals, values: values as Values }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message)
  }
}

/** The help text of one command. */
export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON }).map(
    ([name, { short, value, help }]): [string, string] => [
      `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      help,
    ],
  )
  return `${command.summary}\n\nUsage: rookery ${[command.name, ...command.args].join(' ')} [options]\n\nOptions:\n${columns(options)}`
}

/** Two columns, the second one aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
