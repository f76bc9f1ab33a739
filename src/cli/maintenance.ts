import { clearCaches } from '../actions/operations/caches.ts'
import { listIndexedTables, recountAccounts, recountStatuses, reindexTables } from '../domain/clean-up/upkeep.ts'
import { cacheUsage } from '../domain/media/cache.ts'
import { readStats } from '../domain/server/stats.ts'
import { readJobKinds, totalOf } from '../jobs/overview.ts'
import { readableSize } from '../lib/text/size.ts'
import { columns, CommandError, defineCommand } from './command.ts'
import { DRY_RUN, outcome, recordOutcome, stepsOf } from './outcome.ts'

export const clearCache = defineCommand({
  name: 'cache clear',
  args: [],
  options: {},
  async run({ t, open }) {
    const ctx = await open()
    return recordOutcome(ctx, t, 'cache clear', 'translations', { count: await clearCaches(ctx) })
  },
})

export const recount = defineCommand({
  name: 'cache recount',
  args: [],
  options: {},
  async run({ t, open, progress }) {
    const ctx = await open()
    let count = 0
    let looked = 0
    for (const recountNext of [recountAccounts, recountStatuses])
      for await (const done of stepsOf((after) => recountNext(ctx, after))) {
        count += done.wrong
        looked += done.looked
        progress(t.operations.so_far({ count: looked }))
      }
    return recordOutcome(ctx, t, 'cache recount', 'corrections', { count, looked })
  },
})

/** Without locking: the server may run. A duplicate that a broken index let in makes it fail, and names the index. */
export const reindex = defineCommand({
  name: 'maintenance reindex',
  args: [],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, database, values, progress }) {
    const ctx = await open()
    const tables = await listIndexedTables(ctx)
    if (values['dry-run']) return outcome(t, 'tables', { count: tables.length, dryRun: true })
    const report = (done: number): void => progress(t.operations.progress({ done, total: tables.length }))
    if (!(await reindexTables(await database(), tables, report))) throw new CommandError(t.operations.reindex_at_work)
    return recordOutcome(ctx, t, 'maintenance reindex', 'tables', { count: tables.length })
  },
})

export const statistics = defineCommand({
  name: 'statistics',
  args: [],
  options: {},
  async run({ t, open }) {
    const ctx = await open()
    const [stats, media, kinds] = await Promise.all([readStats(ctx), cacheUsage(ctx), readJobKinds(ctx.db)])
    const { due, delayed, failed } = totalOf(kinds)
    const names = t.operations.statistics
    const rows = [
      [names.users, stats.users],
      [names.active_month, stats.activeMonth],
      [names.statuses, stats.statuses],
      [names.servers, stats.domains],
      [names.media_cache, readableSize(media.bytes)],
      [names.jobs_due, due],
      [names.jobs_delayed, delayed],
      [names.jobs_failed, failed],
    ].map((row) => row.map(String))
    return { text: columns(rows, ''), json: { ...stats, media_cache: media, jobs: { due, delayed, failed } } }
  },
})
