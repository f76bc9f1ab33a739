import { recordCommand } from '../actions/operations/record-command.ts'
import type { Context } from '../context.ts'
import { countLocalAccounts, type LocalAccountRow, localAccounts } from '../domain/accounts/batches.ts'
import { type AccountRow, findByHandle } from '../domain/accounts/find.ts'
import { getModerated, type ModeratedAccount } from '../domain/moderation/accounts.ts'
import { normaliseDomain, parseHandle } from '../ap/handle.ts'
import { readableSize } from '../lib/text/size.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { CommandError, UsageError } from './command.ts'

export const DRY_RUN = { type: 'boolean' } as const
export const DAYS = { type: 'string', value: 'N' } as const
export const LIMIT = { type: 'string', value: 'N', default: '100' } as const

type Result = { text: string; json: Record<string, unknown> }

type Unit = keyof CliTexts['operations']['units']
type Facts = { count: number; dryRun?: boolean; bytes?: number; [fact: string]: unknown }

/** The result of a command that changed `count` things, or would do so. `bytes`: their size. */
export function outcome({ operations: t }: CliTexts, unit: Unit, { count, dryRun = false, ...more }: Facts): Result {
  const things = t.units[unit]({ count })
  const what = more.bytes === undefined ? things : `${things}, ${readableSize(more.bytes)}`
  return { text: dryRun ? t.would({ what }) : t.done({ what }), json: { count, dry_run: dryRun, ...more } }
}

/** As `outcome`, and writes it to the audit log unless nothing was done. */
export async function recordOutcome(
  ctx: Context,
  t: CliTexts,
  command: string,
  unit: Unit,
  facts: Facts,
): Promise<Result> {
  const { dryRun, ...details } = facts
  if (!dryRun) await recordCommand(ctx, command, details)
  return outcome(t, unit, facts)
}

/** A local account, or a remote one that is stored. `text`: its handle. Throws CommandError. */
export async function accountNamed({ errors }: CliTexts, ctx: Context, text = ''): Promise<AccountRow> {
  const handle = parseHandle(text)
  const account = handle && (await findByHandle(ctx, handle.username, handle.domain))
  if (!account) throw new CommandError(errors.no_account({ username: text }))
  return account
}

type LocalAccount = Pick<ModeratedAccount, 'id' | 'username'> & { user: NonNullable<ModeratedAccount['user']> }

/** An account of this server that was not deleted. Throws CommandError. */
export async function localAccountNamed(t: CliTexts, ctx: Context, text = ''): Promise<LocalAccount> {
  const { id, username, user } = await getModerated(ctx, (await accountNamed(t, ctx, text)).id)
  if (!user) throw new CommandError(t.errors.no_account({ username: text }))
  return { id, username, user }
}

/** The account of that name, or every local one for `all`. Throws CommandError. */
export async function oneOrAll(
  t: CliTexts,
  ctx: Context,
  text: string | undefined,
): Promise<{ accounts: AsyncIterable<LocalAccountRow> | LocalAccountRow[]; total: number }> {
  if (text === 'all') return { accounts: localAccounts(ctx), total: await countLocalAccounts(ctx) }
  return { accounts: [await localAccountNamed(t, ctx, text)], total: 1 }
}

/** Throws UsageError. */
export function domainFrom({ operations }: CliTexts, text = ''): string {
  const domain = normaliseDomain(text.replace(/^@|^\*\./, ''))
  if (domain === null) throw new UsageError(operations.no_domain({ text }))
  return domain
}

/** Throws UsageError, with the choices. `name`: of the option. */
export function choiceFrom<Choice extends string>(
  { errors }: CliTexts,
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === value)
  if (choice === undefined) throw new UsageError(errors.one_of({ name, choices: choices.join(', ') }))
  return choice
}

/** Throws UsageError. `name`: of the option. */
export function numberFrom(
  { errors }: CliTexts,
  name: string,
  value: unknown,
  { min = 1, max }: { min?: number; max: number },
): number {
  const text = String(value)
  if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(errors.number({ name, min, max }))
  return Number(text)
}

/** The choices that a record offers. */
export const choicesIn = <Name extends string>(choices: Record<Name, unknown>): Name[] => Object.keys(choices) as Name[]

/** Throws UsageError. */
export const daysFrom = (t: CliTexts, value: unknown, fallback: number): number =>
  numberFrom(t, '--days', value ?? fallback, { min: 0, max: 99_999 })

/** Repeats work that goes through a table by ids in steps, each of which says where the `next` one begins; null at the end. */
export async function* stepsOf<Step extends { next: string | null }>(
  take: (after: string) => Promise<Step>,
): AsyncGenerator<Step> {
  for (let after: string | null = '0'; after !== null;) {
    const step: Step = await take(after)
    yield step
    after = step.next
  }
}

/** Rows of a list. Throws UsageError. */
export const limitFrom = (t: CliTexts, value: unknown): number => numberFrom(t, '--limit', value, { max: 10_000 })
