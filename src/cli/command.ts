import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { CliTexts, enCli } from '../messages/en/cli.ts'
import type { Language } from '../messages/message.ts'

/** The command line is invalid: the message is shown with a hint at --help, exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command cannot be carried out: the message is shown, exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** `value` names the option's value in the help text. */
type Option = ParseArgsOptionDescriptor & { value?: string }
type Options = Record<string, Option>

/** The value of each option; false for a switch that is absent. */
type Values<Given extends Options> = {
  [Name in keyof Given]: {
    boolean: boolean
    string: Given[Name] extends { default: string } ? string : string | undefined
  }[Given[Name]['type']]
}

type CommandTexts = (typeof enCli)['commands']
type CommandName = keyof CommandTexts

export type CommandCall<Given extends Options = Options> = {
  t: CliTexts
  language: Language
  config: Config
  /** Shows on stderr how far a long command is. May be called often. */
  progress: (line: string) => void
  /** Opens the migrated database. */
  open: () => Promise<Context>
  /** Opens the database as it is. */
  database: () => Promise<Database>
  args: readonly string[]
  values: Values<Given>
}

export type Command<Name extends CommandName = CommandName, Given extends Options = Options> = {
  name: Name
  /** `[NAME]` may be left out; `NAME...`, in the last place, stands for one or more. */
  args: readonly string[]
  /** Their texts and the command's summary are in messages/<language>/cli.ts. */
  options: Given
  /** Returns what to print: `json` with --json, otherwise `text`. */
  run(call: CommandCall<Given>): Promise<{ text: string; json: unknown }>
}

/** Does not compile without a text for each option. */
export const defineCommand = <
  Name extends CommandName,
  const Given extends Record<keyof CommandTexts[Name]['options'], Option>,
>(
  command: Command<Name, Given & Record<Exclude<keyof Given, keyof CommandTexts[Name]['options']>, never>>,
): Command => command as unknown as Command

const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies Options

const optionsOf = (command: Command): Options => ({ ...command.options, ...COMMON })

/** Throws UsageError. */
export function parseWords(
  { errors }: CliTexts,
  command: Command,
  words: string[],
): { args: string[]; values: Values<Options> } {
  const { positionals, values } = parse(errors, command, words)
  if (!values.help && !isRightNumber(command.args, positionals.length))
    throw new UsageError(
      command.args.length === 0
        ? errors.no_arguments({ words: positionals.join(' ') })
        : errors.needs({ what: command.args.join(' ') }),
    )
  return { args: positionals, values }
}

function isRightNumber(args: Command['args'], given: number): boolean {
  const isOpen = args.at(-1)?.endsWith('...') === true
  const needed = args.filter((arg) => !arg.startsWith('[')).length
  return given >= needed && (isOpen || given <= args.length)
}

function parse(
  t: CliTexts['errors'],
  command: Command,
  words: string[],
): { positionals: string[]; values: Values<Options> } {
  const options = optionsOf(command)
  const { positionals, values, tokens } = parseArgs({
    args: words,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const name = token.rawName
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw new UsageError(t.unknown_option({ name }))
    const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))
    if (option.type === 'string' && isMissing) throw new UsageError(t.value_missing({ name }))
    if (option.type === 'boolean' && token.value !== undefined) throw new UsageError(t.no_value({ name }))
  }
  const switches = Object.entries(options).flatMap(([name, { type }]) => (type === 'boolean' ? [[name, false]] : []))
  return { positionals, values: { ...Object.fromEntries(switches), ...values } as Values<Options> }
}

export function helpOf(t: CliTexts, command: Command): string {
  const { summary, options: texts } = t.commands[command.name]
  const helps: Record<string, string> = { ...texts, json: t.json, help: t.help }
  const options = Object.entries(optionsOf(command)).map(([name, { short, value }]): [string, string] => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    helps[name] ?? '',
  ])
  const line = `${t.usage}: rookery ${[command.name, ...command.args].join(' ')} [options]`
  return `${summary}\n\n${line}\n\n${t.options_title}:\n${columns(options)}`
}

export function columns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  return rows
    .map((row) => {
      const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      return indent + cells.join('  ').trimEnd()
    })
    .join('\n')
}

/** How many columns of a terminal a text takes: Japanese characters take two. */
const widthOf = (text: string): number => text.length + (text.match(/[\u3000-\u9fff\uff00-\uff60]/g)?.length ?? 0)
