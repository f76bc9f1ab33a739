import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Prints what was wrong with the arguments, and ends the process. */
export function refuseArguments(problem: string): never {
  console.error(`${problem} See --help.`)
  process.exit(2)
}

/** Ends the process after --help, and after arguments that the script does not know. */
export function readArguments<const Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    const options = { ...config.options, help: { type: 'boolean', short: 'h' } } as const
    const parsed = parseArgs({ ...config, options })
    if (!(parsed.values as { help?: boolean }).help) return parsed as ReturnType<typeof parseArgs<Config>>
    console.log(help)
    process.exit(0)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error
    // The message goes on with advice for other kinds of arguments.
    return refuseArguments(`${message.split('. ')[0]}.`)
  }
}

/** The value of `--name`. Ends the process unless it is a whole number from `min` on. */
export function countIn<Name extends string>(values: Record<Name, string>, name: Name, min = 1): number {
  const n = Number(values[name])
  const isAccepted = Number.isSafeInteger(n) && n >= min
  return isAccepted ? n : refuseArguments(`--${name} must be a whole number of at least ${min}.`)
}

/** The value of `--name`, a duration that may have a fraction. Ends the process unless it is a positive number. */
export function durationIn<Name extends string>(values: Record<Name, string>, name: Name): number {
  const n = Number(values[name])
  return n > 0 ? n : refuseArguments(`--${name} must be a positive number.`)
}

/** The names in `A,B`. Ends the process after one that is not among the known. */
export function namesIn(list: string, known: readonly string[]): Set<string> {
  const names = new Set(list.split(','))
  for (const name of names) if (!known.includes(name)) refuseArguments(`There is no ${name}: only ${known.join(', ')}.`)
  return names
}
