// Feeds, the search index, and posts of other servers.
import { countLocalAccounts } from '../domain/accounts/batches.ts'
import { deleteOldStatuses } from '../domain/clean-up/remote-content.ts'
import { indexNextStatuses } from '../domain/search/status-index.ts'
import { dropAllFeeds } from '../domain/timelines/home-feed.ts'
import { ensureHome, rebuildHome } from '../domain/timelines/home-build.ts'
import { defineCommand } from './command.ts'
import { daysFrom, DAYS, DRY_RUN, oneOrAll, outcome, recordOutcome, stepsOf } from './outcome.ts'

export const buildFeeds = defineCommand({
  name: 'feeds build',
  args: ['NAME|all'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, args, values, progress }) {
    const ctx = await open()
    const { accounts, total } = await oneOrAll(t, ctx, args[0])
    if (values['dry-run']) return outcome(t, 'feeds', { count: total, dryRun: true })
    let count = 0
    for await (const { id } of accounts) {
      await rebuildHome(ctx, id)
      await ensureHome(ctx, id)
      progress(t.operations.progress({ done: ++count, total }))
    }
    return recordOutcome(ctx, t, 'feeds build', 'feeds', { count })
  },
})

export const clearFeeds = defineCommand({
  name: 'feeds clear',
  args: [],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, values }) {
    const ctx = await open()
    const count = await countLocalAccounts(ctx)
    const dryRun = values['dry-run']
    if (!dryRun) await dropAllFeeds(ctx)
    return recordOutcome(ctx, t, 'feeds clear', 'feeds', { count, dryRun })
  },
})

export const deploySearch = defineCommand({
  name: 'search deploy',
  args: [],
  options: {},
  async run({ t, open, progress }) {
    const ctx = await open()
    let count = 0
    for await (const step of stepsOf((after) => ctx.transaction((tx) => indexNextStatuses(tx, after)))) {
      count += step.count
      progress(t.operations.so_far({ count }))
    }
    return recordOutcome(ctx, t, 'search deploy', 'posts', { count })
  },
})

export const removeStatuses = defineCommand({
  name: 'statuses remove',
  args: [],
  options: { days: DAYS, 'clean-followed': { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, values, progress }) {
    const days = daysFrom(t, values.days, 90)
    const ctx = await open()
    const dryRun = values['dry-run']
    const spareFollowed = !values['clean-followed']
    let count = 0
    const take = (after: string) => deleteOldStatuses(ctx, days, { after, spareFollowed, dryRun })
    for await (const { deleted } of stepsOf(take)) {
      count += deleted
      progress(t.operations.so_far({ count }))
    }
    return recordOutcome(ctx, t, 'statuses remove', 'posts', { count, days, clean_followed: !spareFollowed, dryRun })
  },
})
