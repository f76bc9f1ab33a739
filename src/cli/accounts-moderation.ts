import { canFollow, canUnfollow, follow, rejectFollow, unfollow } from '../actions/accounts/follow.ts'
import { actOnAccount } from '../actions/moderation/act-on-account.ts'
import { liftState } from '../actions/moderation/lift.ts'
import { setMemorial } from '../actions/moderation/memorial.ts'
import { approveSignUp } from '../actions/moderation/review-sign-up.ts'
import { rotateKey } from '../actions/operations/accounts.ts'
import { requestArchive } from '../actions/portability/archive.ts'
import { moveAccount, repeatMove } from '../actions/portability/move.ts'
import type { Context } from '../context.ts'
import {
  countFollowSide,
  countLocalAccounts,
  followedOrFollowing,
  type FollowSide,
  localAccounts,
} from '../domain/accounts/batches.ts'
import { getModerated } from '../domain/moderation/accounts.ts'
import { listPendingAccounts } from '../domain/moderation/pending.ts'
import { AppError } from '../lib/errors.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { userNamed } from './accounts.ts'
import { type CommandCall, CommandError, defineCommand, UsageError } from './command.ts'
import { accountNamed, DRY_RUN, localAccountNamed, numberFrom, oneOrAll, outcome, recordOutcome } from './outcome.ts'

export const approve = defineCommand({
  name: 'accounts approve',
  args: ['[NAME|all]'],
  options: { number: { type: 'string', value: 'N' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values, progress }) {
    const [name] = args
    if ((name === undefined) === (values.number === undefined))
      throw new UsageError(t.errors.needs({ what: 'NAME | all | --number N' }))
    const number = name === undefined ? numberFrom(t, '--number', values.number, { max: 99_999 }) : undefined
    const ctx = await open()
    const ids =
      name === undefined || name === 'all'
        ? (await listPendingAccounts(ctx)).slice(0, number)
        : [await pendingAccountNamed(t, ctx, name)]
    if (values['dry-run']) return outcome(t, 'accounts', { count: ids.length, dryRun: true })
    let count = 0
    for (const id of ids) {
      await approveSignUp(ctx, null, id)
      progress(t.operations.progress({ done: ++count, total: ids.length }))
    }
    return outcome(t, 'accounts', { count })
  },
})

/** Throws CommandError. */
async function pendingAccountNamed(t: CliTexts, ctx: Context, name: string): Promise<string> {
  const { id, username } = await accountNamed(t, ctx, name)
  const { user } = await getModerated(ctx, id)
  if (user?.approved !== false) throw new CommandError(t.operations.not_pending({ username }))
  return id
}

/** Like the action of a moderator: it can be undone for 30 days. */
export const suspend = defineCommand({
  name: 'accounts suspend',
  args: ['ACCOUNT'],
  options: { text: { type: 'string', value: 'TEXT' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const ctx = await open()
    const [name = ''] = args
    const { id, suspended_at: since, suspension_origin: origin } = await accountNamed(t, ctx, name)
    // Another warning, with a mail, would change nothing.
    if (since !== null && origin === 'local') throw new CommandError(t.operations.suspended_already({ name }))
    const dryRun = values['dry-run']
    const text = values.text ?? ''
    if (!dryRun) await actOnAccount(ctx, null, { accountId: id, type: 'suspend', text })
    return outcome(t, 'accounts', { count: 1, dryRun, id })
  },
})

export const unsuspend = defineCommand({
  name: 'accounts unsuspend',
  args: ['ACCOUNT'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const ctx = await open()
    const { id, suspended_at: before } = await accountNamed(t, ctx, args[0])
    const dryRun = values['dry-run']
    const changes = dryRun ? before !== null : await liftState(ctx, null, { accountId: id, state: 'suspend' })
    return outcome(t, 'accounts', { count: Number(changes), dryRun, id })
  },
})

export const memorialize = defineCommand({
  name: 'accounts memorialize',
  args: ['NAME'],
  options: { undo: { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values }) {
    const ctx = await open()
    const { account_id: accountId, memorial: before } = await userNamed(t, ctx, args[0])
    const dryRun = values['dry-run']
    const memorial = !values.undo
    const changes = dryRun ? before !== memorial : await setMemorial(ctx, null, { accountId, memorial })
    return outcome(t, 'accounts', { count: Number(changes), dryRun, id: accountId })
  },
})

export const followAll = defineCommand({
  name: 'accounts follow',
  args: ['ACCOUNT'],
  options: { 'dry-run': DRY_RUN },
  run: (call) => forAllUsers(call, 'accounts follow', { changes: canFollow, act: follow }),
})

export const unfollowAll = defineCommand({
  name: 'accounts unfollow',
  args: ['ACCOUNT'],
  options: { 'dry-run': DRY_RUN },
  run: (call) => forAllUsers(call, 'accounts unfollow', { changes: canUnfollow, act: unfollow }),
})

type ForUser<Result> = (ctx: Context, relationship: { accountId: string; targetAccountId: string }) => Promise<Result>
/** `changes`: whether the act would change something. */
type UserAct = { changes: ForUser<boolean>; act: ForUser<unknown> }

async function forAllUsers(
  { t, open, args, values, progress }: CommandCall<{ 'dry-run': typeof DRY_RUN }>,
  command: string,
  { changes, act }: UserAct,
): ReturnType<typeof recordOutcome> {
  const ctx = await open()
  const target = await accountNamed(t, ctx, args[0])
  const dryRun = values['dry-run']
  const total = await countLocalAccounts(ctx)
  let done = 0
  let count = 0
  for await (const { id } of localAccounts(ctx)) {
    progress(t.operations.progress({ done: ++done, total }))
    const relationship = { accountId: id, targetAccountId: target.id }
    if ((await changes(ctx, relationship)) && (dryRun || (await permitted(() => act(ctx, relationship))))) count++
  }
  return recordOutcome(ctx, t, command, 'accounts', { count, account: args[0], dryRun })
}

/** A user who was blocked, or has moved, meanwhile stays as they are. */
async function permitted(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false
    throw error
  }
}

/** Other servers learn of each follow, as when the user ends it. */
export const resetRelationships = defineCommand({
  name: 'accounts reset-relationships',
  args: ['NAME'],
  options: { follows: { type: 'boolean' }, followers: { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, args, values, progress }) {
    const sides = (['follows', 'followers'] as const satisfies FollowSide[]).filter((side) => values[side] === true)
    if (sides.length === 0) throw new UsageError(t.errors.needs({ what: '--follows | --followers' }))
    const ctx = await open()
    const { id: accountId } = await localAccountNamed(t, ctx, args[0])
    const counts = await Promise.all(sides.map((side) => countFollowSide(ctx, accountId, side)))
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (values['dry-run']) return outcome(t, 'follows', { count: total, dryRun: true })
    let done = 0
    let count = 0
    for (const side of sides)
      for await (const id of followedOrFollowing(ctx, accountId, side)) {
        const ended =
          side === 'follows'
            ? await unfollow(ctx, { accountId, targetAccountId: id })
            : await rejectFollow(ctx, { accountId, followerId: id })
        if (ended) count++
        progress(t.operations.progress({ done: ++done, total }))
      }
    return recordOutcome(ctx, t, 'accounts reset-relationships', 'follows', { count, account: args[0], sides })
  },
})

export const rotateKeys = defineCommand({
  name: 'accounts rotate-keys',
  args: ['NAME|all'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values, progress }) {
    const ctx = await open()
    const { accounts, total } = await oneOrAll(t, ctx, args[0])
    if (values['dry-run']) return outcome(t, 'accounts', { count: total, dryRun: true })
    let done = 0
    let count = 0
    for await (const account of accounts) {
      if (await rotateKey(ctx, account)) count++
      progress(t.operations.progress({ done: ++done, total }))
    }
    return outcome(t, 'accounts', { count })
  },
})

/** As the user would do it: the new account must name the old one as an alias. */
export const migrateAccount = defineCommand({
  name: 'accounts migrate',
  args: ['NAME'],
  options: { target: { type: 'string', value: 'ACCOUNT' }, replay: { type: 'boolean' } },
  async run({ t, open, args, values: { target, replay } }) {
    if ((target === undefined) === !replay) throw new UsageError(t.errors.needs({ what: '--target | --replay' }))
    const ctx = await open()
    const { user, username, id: accountId } = await localAccountNamed(t, ctx, args[0])
    if (target !== undefined) await moveAccount(ctx, { accountId, userId: user.id, username }, target)
    const count = target !== undefined || (await repeatMove(ctx, accountId)) ? 1 : 0
    return recordOutcome(ctx, t, 'accounts migrate', 'accounts', {
      count,
      account: args[0],
      ...(target === undefined ? {} : { target }),
    })
  },
})

/** As the user would do it: they find the archive on their page. */
export const archive = defineCommand({
  name: 'accounts backup',
  args: ['NAME'],
  options: {},
  async run({ t, open, args }) {
    const ctx = await open()
    const { id } = await localAccountNamed(t, ctx, args[0])
    await requestArchive(ctx, id)
    return recordOutcome(ctx, t, 'accounts backup', 'accounts', { count: 1, account: args[0] })
  },
})
